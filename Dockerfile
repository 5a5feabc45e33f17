# syntax=docker/dockerfile:1
# An image that runs memlab, on x86-64 and arm64:
#
#   docker build -t memlab .
#   docker run --rm -it memlab walk retain-cycle

FROM swift:6.3 AS build
WORKDIR /memlab
COPY . .
RUN DESTDIR=/stage Scripts/install.sh install
RUN /stage/usr/local/bin/memlab doctor

# An image without the compiler. Exercises need the compiler: use the dev container.
FROM swift:6.3-slim
WORKDIR /memlab
COPY --from=build /stage/usr/local /usr/local
# 'memlab lesson' reads the text of the course from a checkout.
COPY --from=build /memlab/Lessons ./Lessons
COPY --from=build /memlab/Sources/Lab/Kit ./Sources/Lab/Kit
# Not root, and the first user of most machines: who writes into a folder of theirs keeps the files.
USER 1000:1000
ENTRYPOINT ["memlab"]
CMD ["retain-cycle"]
