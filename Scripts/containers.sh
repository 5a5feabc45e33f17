#!/usr/bin/env bash
# Runs the commands of the Dockerfile and of the dev container in clean copies of the last commit, one
# after another, as they stand there. Builds memlab twice, so it takes minutes.
#
#   Scripts/containers.sh [docker|dev]     without an argument, both
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

copy() {
  mkdir "$folder/$1"
  git -C "$checkout" archive HEAD | tar -x -C "$folder/$1"
  cd "$folder/$1"
}

# A command as the files have it, and how long it took.
command_of_file() {
  echo "== $1"
  local start=$SECONDS
  bash -euo pipefail -c "$1"
  echo "   took $((SECONDS - start)) s"
}

docker_commands() {
  copy image
  # The image is built in /memlab and keeps what is in /stage.
  sed -n 's/^RUN //p' Dockerfile | sed "s|/stage|$folder/stage|g" > "$folder/commands"
  while read -r command; do command_of_file "$command"; done < "$folder/commands"
  mkdir "$folder/run"
  cd "$folder/run"
  # What is copied from the first image into the second one, into a folder that has nothing else.
  sed -n 's|^COPY --from=build /memlab/\([^ ]*\) \./\([^ ]*\)$|\1 \2|p' ../image/Dockerfile |
    while read -r from to; do
      mkdir -p "$(dirname "$to")"
      cp -r "../image/$from" "$to"
    done
  command_of_file "$folder/stage/bin/memlab $(sed -n 's/^CMD \["\(.*\)"\]$/\1/p' ../image/Dockerfile)"
  # The image has the path that the program was built at; here that is another folder.
  command_of_file "$folder/stage/bin/memlab lesson 01 > /dev/null"
}

dev_commands() {
  copy dev
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
