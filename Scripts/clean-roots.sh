#!/usr/bin/env bash
# Makes two roots that have what the images swift:6.3-bookworm and its slim one have, see
# https://github.com/swiftlang/swift-docker, folder 6.3/debian/12, and runs the commands of the Dockerfile
# and of the dev container in them. For where Docker is not: it needs root and Debian's packages.
#
#   Scripts/clean-roots.sh FOLDER [docker|dev]
#
# The roots stay in FOLDER for the next time; what the commands write does not.
set -euo pipefail
[ $# -ge 1 ] || { echo "Error: a folder for the roots is missing." >&2; exit 64; }
[ "$(id -u)" = 0 ] || { echo "Error: this needs root, to make roots of their own." >&2; exit 77; }
mkdir -p "$1"
folder=$(realpath "$1")
cd "$(dirname "$0")/.."

# The toolchain's folder has `usr` in it.
toolchain=$(realpath "$(dirname "$(readlink -f "$(command -v swift)")")/../..")
debian=http://deb.debian.org/debian

root() {
  [ -d "$folder/$1" ] && return
  debootstrap --variant=minbase --include="$2" bookworm "$folder/$1.part" "$debian"
  mv "$folder/$1.part" "$folder/$1"
}

packages=binutils,libicu-dev,libcurl4-openssl-dev,libedit-dev,libsqlite3-dev,libncurses-dev
packages+=,libpython3-dev,libxml2-dev,pkg-config,uuid-dev,tzdata,git,gcc,libstdc++-12-dev
root build "$packages"
root slim libcurl4,libxml2,tzdata
if [ ! -d "$folder/libraries" ]; then
  mkdir -p "$folder/libraries/usr/lib/swift"
  cp -r "$toolchain/usr/lib/swift/linux" "$folder/libraries/usr/lib/swift/"
fi

work=$(mktemp -d "$folder/work.XXXX")
finish() {
  for mounted in build/slim slim build; do umount -R "$work/$mounted" 2> /dev/null || true; done
  # Never through a mount that is still there.
  mountpoint -q "$work/build" || mountpoint -q "$work/slim" || rm -rf "$work"
}
trap finish EXIT
for name in build slim; do
  mkdir -p "$work/$name" "$work/$name.new" "$work/$name.own"
  above=$toolchain
  [ "$name" = slim ] && above=$folder/libraries
  mount -t overlay overlay "$work/$name" \
    -o "lowerdir=$above:$folder/$name,upperdir=$work/$name.new,workdir=$work/$name.own"
  mount -t proc proc "$work/$name/proc"
done
mount --bind /dev "$work/build/dev"
mount --make-private "$work/build/dev"
git clone -q . "$work/build/checkout"
mkdir "$work/build/slim"
mount --rbind "$work/slim" "$work/build/slim"
mount --make-rslave "$work/build/slim"
chroot "$work/build" env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin LANG=C.UTF-8 \
  TOP= SLIM=/slim /checkout/Scripts/containers.sh "${2:-both}"
