# syntax=docker/dockerfile:1
# An image that runs memlab, on x86-64 and arm64:
#
#   docker build -t memlab .
#   docker run --rm -it memlab walk retain-cycle

FROM swift:6.3 AS build
WORKDIR /memlab
COPY . .
RUN swift build -c release --product memlab
RUN swift build -c release --product memlab-full
RUN mkdir -p /stage/bin && cd "$(swift build -c release --show-bin-path)" && cp memlab memlab-full /stage/bin
RUN /stage/bin/memlab doctor

# The runtime's libraries without the compiler. Exercises need the compiler: use the dev container.
FROM swift:6.3-slim
WORKDIR /memlab
COPY --from=build /stage/bin/memlab /usr/local/bin/memlab
# The program with all commands, which memlab starts for those that it lacks.
COPY --from=build /stage/bin/memlab-full /usr/local/bin/memlab-full
# 'memlab lesson' reads the text of the course from a checkout.
COPY --from=build /memlab/Lessons ./Lessons
COPY --from=build /memlab/Sources/Lab/Kit ./Sources/Lab/Kit
ENTRYPOINT ["memlab"]
CMD ["retain-cycle"]
