#!/usr/bin/env bash
# Installs memlab below "$DESTDIR$PREFIX" and removes it again, for 'make install' and 'make uninstall'.
#
#   Scripts/install.sh install [FOLDER]   what is built in FOLDER; without one, it is built first
#   Scripts/install.sh uninstall
#
# What is installed needs no toolchain: the libraries of Swift that it needs are put beside it. The file
# lib/memlab/installed lists all files, so that no other is ever removed.
set -euo pipefail
cd "$(dirname "$0")/.."
case ${PREFIX:=/usr/local} in
  /*) ;;
  *)
    echo "Error: PREFIX is '$PREFIX'. Give a path from the root, such as PREFIX=\"\$HOME/.local\"." >&2
    exit 64
    ;;
esac
root=${DESTDIR:-}$PREFIX
list=$root/lib/memlab/installed
has_agent=$([ "$(uname)" = Linux ] && [ "${MEMLAB_PORTABLE:-}" != 1 ] && echo yes || true)

build() {
  local product products=(memlab memlab-full ${has_agent:+memlab-agent memlab-probe})
  # In a folder of its own: other builds look for Swift's libraries in the toolchain.
  words=(-c release --scratch-path .build/install)
  if [ "$(uname)" = Linux ]; then
    words+=(-Xswiftc -no-toolchain-stdlib-rpath -Xlinker -rpath -Xlinker "\$ORIGIN/../lib/memlab")
  fi
  for product in "${products[@]}"; do
    # The agent and the probe, which are loaded into other programs: the table of the functions that they
    # call is filled before they run, and read-only from then on.
    if [ "$product" = memlab-agent ]; then words+=(-Xlinker -z -Xlinker now); fi
    swift build "${words[@]}" --product "$product" >&2
  done
  swift build "${words[@]}" --show-bin-path
}

# Folders that are there keep their permissions.
make_folder() { [ -d "$1" ] || install -d -m 755 "$1"; }

# put FILE MODE PLACE   copies a file, or standard input for '-', to a place below PREFIX
put() {
  make_folder "$(dirname "$root/$3")"
  echo "$3" >> "$list"
  # Not through a link that is there.
  rm -f "$root/$3"
  if [ "$1" = - ]; then
    cat > "$root/$3"
    chmod "$2" "$root/$3"
  else
    install -m "$2" "$1" "$root/$3"
  fi
}

swift_libraries() {
  local folder name
  folder=$(swift -print-target-info | sed -nE '/"runtimeLibraryPaths"/{n;s/^ *"(.*)",?$/\1/p;}')
  LD_LIBRARY_PATH=$folder ldd "$@" | sed -nE 's/^[[:space:]]*([^ /]+) => .*/\1/p' | sort -u |
    while read -r name; do [ ! -f "$folder/$name" ] || echo "$folder/$name"; done
}

install_from() {
  local library own=lib/memlab files=("$1"/memlab-full)
  if [ -f "$list" ]; then uninstall; fi
  make_folder "$root/$own"
  rm -f "$list"
  (umask 022 && : > "$list")
  put "$1/memlab" 755 bin/memlab
  put "$1/memlab-full" 755 $own/memlab-full
  for library in "$1"/libmemlab-{agent,probe}.so; do
    if [ -n "$has_agent" ] && [ -f "$library" ]; then
      put "$library" 755 "$own/$(basename "$library")"
      files+=("$library")
    fi
  done
  if [ "$(uname)" = Linux ]; then
    swift_libraries "${files[@]}" | while IFS= read -r library; do
      put "$library" 644 "$own/$(basename "$library")"
    done
  fi
  local memlab=$root/bin/memlab
  "$memlab" completions bash | put - 644 share/bash-completion/completions/memlab
  "$memlab" completions zsh | put - 644 share/zsh/site-functions/_memlab
  "$memlab" completions fish | put - 644 share/fish/vendor_completions.d/memlab.fish
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2> /dev/null || true) "$memlab" man |
    put - 644 share/man/man1/memlab.1
}

uninstall() {
  local file
  [ -f "$list" ] || { echo "Nothing to remove: there is no '$list'." >&2; return; }
  # Who may write the list does not choose what another user removes, not by a link either.
  while IFS= read -r file; do
    case /$file/ in
      */../* | */./* | *//* | /lib/memlab/*/*/ | /lib/memlab/installed/) continue ;;
      /bin/memlab/ | /lib/memlab/*/) ;;
      /share/bash-completion/completions/memlab/ | /share/zsh/site-functions/_memlab/) ;;
      /share/fish/vendor_completions.d/memlab.fish/ | /share/man/man1/memlab.1/) ;;
      *) continue ;;
    esac
    if [ -f "$root/$file" ] || [ -L "$root/$file" ]; then rm -f "$root/$file"; fi
  done < "$list"
  rm -f "$list"
  rmdir "$root/lib/memlab" 2> /dev/null || true
}

case ${1:-} in
  install)
    from=${2:-}
    [ -n "$from" ] || from=$(build)
    case $from in /*) ;; *) from=./$from ;; esac
    install_from "$from"
    ;;
  uninstall) uninstall ;;
  *)
    echo "Error: '${1:-}' is not known. Give install or uninstall." >&2
    exit 64
    ;;
esac
