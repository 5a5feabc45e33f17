#!/usr/bin/env bash
# Runs the commands of the Dockerfile and of the dev container in clean copies of the last commit, one
# after another, as they stand there. Builds memlab twice, so it takes minutes.
#
#   Scripts/containers.sh [docker|dev]     without an argument, both
#
# Scripts/clean-roots.sh runs it in roots that have only what the images have. TOP is then empty, so that
# each path is the file's own, and SLIM is the root of the second image.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
top=${TOP-$folder}

copy() {
  mkdir -p "$1"
  # In a container, the checkout is another user's.
  git -c safe.directory='*' -C "$checkout" archive HEAD | tar -x -C "$1"
  cd "$1"
}

# A command as the files have it, and how long it took.
command_of_file() {
  echo "== $1"
  local start=$SECONDS
  bash -euo pipefail -c "$1" < /dev/null
  echo "   took $((SECONDS - start)) s"
}

docker_commands() {
  copy "$top/memlab"
  # The image is built in /memlab and keeps what is in /stage.
  sed -n 's/^RUN //p' Dockerfile | sed "s|/stage|$top/stage|g" > "$folder/commands"
  while read -r command; do command_of_file "$command"; done < "$folder/commands"
  # What is copied from the first image into the second one, which has nothing else of it.
  local second=${SLIM:-$folder/second} words
  mkdir -p "$second/memlab"
  sed -n 's/^COPY --from=build //p' Dockerfile | while read -r from to; do
    case $to in /*) to=$second$to ;; *) to=$second/memlab/$to ;; esac
    mkdir -p "$(dirname "$to")"
    cp -rT "$top$from" "$to"
  done
  words=$(sed -n 's/^CMD \["\(.*\)"\]$/\1/p' Dockerfile)
  # The lesson's text is found by the path that the program was built at.
  for words in "$words" doctor "lesson 01 > /dev/null"; do
    if [ -n "${SLIM:-}" ]; then
      command_of_file "chroot $SLIM sh -c 'cd /memlab && memlab $words'"
    else
      command_of_file "cd $second/memlab && $second/usr/local/bin/memlab $words"
    fi
  done
}

dev_commands() {
  copy "$folder/dev"
  for name in updateContentCommand postCreateCommand postAttachCommand; do
    command_of_file "$(sed -n "s/^ *\"$name\": \"\(.*\)\",\$/\1/p" .devcontainer/devcontainer.json)"
  done
}

case "${1:-both}" in
  docker) docker_commands ;;
  dev) dev_commands ;;
  both)
    (docker_commands)
    (dev_commands)
    ;;
  *)
    echo "Error: '$1' is not known. Give docker, dev or nothing." >&2
    exit 64
    ;;
esac
