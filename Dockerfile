# syntax=docker/dockerfile:1
# An image that runs memlab, on x86-64 and arm64:
#
#   docker build -t memlab .
#   docker run --rm -it memlab walk retain-cycle

# The digests are those of these tags in https://github.com/docker-library/repo-info; pull requests renew
# both. An image that runs 6.3.3 reads the heap of a program that 6.3.3 has built.
FROM swift:6.3.3@sha256:66520bcba471018a34fd54ba09be97ba4abebd950a96ff5cb8c2bf50a2d33259 AS build
WORKDIR /memlab
COPY . .
RUN DESTDIR=/stage Scripts/install.sh install
RUN /stage/usr/local/bin/memlab doctor

# An image without the compiler. Exercises need the compiler: use the dev container.
FROM swift:6.3.3-slim@sha256:16d63db02d447be57861347fa2afc85ba4e14b60d59a4e180e62e4c8b9e1dd6c
WORKDIR /memlab
COPY --from=build /stage/usr/local /usr/local
# 'memlab lesson' reads the text of the course from a checkout.
COPY --from=build /memlab/Lessons ./Lessons
COPY --from=build /memlab/Sources/Lab/Kit ./Sources/Lab/Kit
# Not root, and the first user of most machines: who writes into a folder of theirs keeps the files.
USER 1000:1000
ENTRYPOINT ["memlab"]
CMD ["retain-cycle"]
