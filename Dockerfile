# syntax=docker/dockerfile:1
# An image that runs memlab, on x86-64 and arm64:
#
#   docker build -t memlab .
#   docker run --rm -it memlab walk retain-cycle

FROM swift:6.3 AS build
WORKDIR /memlab
COPY . .
RUN swift build -c release --product memlab
RUN mkdir -p /stage/bin && cp "$(swift build -c release --show-bin-path)/memlab" /stage/bin/memlab
RUN /stage/bin/memlab doctor

# The runtime's libraries without the compiler. Exercises need the compiler: use the dev container.
FROM swift:6.3-slim
WORKDIR /memlab
COPY --from=build /stage/bin/memlab /usr/local/bin/memlab
# 'memlab lesson' reads the text of the course from a checkout.
COPY --from=build /memlab/Lessons ./Lessons
COPY --from=build /memlab/Sources/Lab/Kit ./Sources/Lab/Kit
ENTRYPOINT ["memlab"]
CMD ["retain-cycle"]
