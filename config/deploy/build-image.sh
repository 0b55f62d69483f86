#!/usr/bin/env bash
# build-image.sh [--public] PACKAGE [TAG]: builds the image of an npm package with docker or podman.
#   --public  pulls the base images that Containerfile names; else both are made from packages of this
#             machine's Debian mirror, which needs no root, and from its own Node.js and npm
#   PACKAGE   the packed file: `make image` packs it first
#   TAG       localhost/event-export by default; a second name has the version
# ENGINE chooses one of the two engines. Needs a clone: the script uses files that are not in the package.
set -euo pipefail
fail() { echo "$* No image was built." >&2; exit 1; }

public=
[ "${1:-}" != --public ] || { public=yes; shift; }
package=${1:?"the packed file is missing: run make image"}
tag=${2:-localhost/event-export}
clone=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=$clone/.cache/image
unpack=$clone/test/support/debian/unpack.sh

engine=${ENGINE:-}
for each in docker podman; do
  [ -n "$engine" ] || ! "$each" info >/dev/null 2>&1 || engine=$each
done
[ -n "$engine" ] || fail "Neither docker nor podman responds here."

version=${package##*/event-export-} version=${version%.tgz}

mkdir -p "$cache"
stage=$(mktemp -d "$cache/stage.XXXXXX")
trap 'rm -rf "$stage"' EXIT
mkdir "$stage/context"
cp "$package" "$stage/context/event-export.tgz"
cp "$clone/package-lock.json" "$clone/config/deploy/Containerfile" "$stage/context"

bases=()
if [ -z "$public" ]; then
  # What the program loads: nothing that only a shell or the maintainers' scripts need.
  [ -d "$cache/run" ] || bash "$unpack" -k -i debconf -i openssl -i awk -i mawk "$cache/run" \
    base-files ca-certificates libatomic1 libc6 libgcc-s1 libstdc++6 netbase tzdata
  root=$stage/run
  cp -a "$cache/run" "$root"
  rm -rf "$root"/usr/{sbin,bin,games,include,src} "$root"/usr/lib/*/{gconv,audit} "$root"/lib/*/{gconv,audit} \
    "$root"/usr/share/{bug,lintian,gdb,base-files,info,man} "$root"/usr/share/zoneinfo/{posix,right} "$root"/etc/{update-motd.d,skel,profile.d} \
    "$root"/var/{backups,cache,local,lock,log,mail,opt,spool,tmp}
  mkdir -p "$root"/{dev,proc,sys,tmp,etc/ssl/certs}
  chmod 1777 "$root/tmp"
  find "$root/usr/share/ca-certificates" -name '*.crt' | sort | xargs cat >"$root/etc/ssl/certs/ca-certificates.crt"
  printf '%s\n' root:x:0:0:root:/root:/nowhere nonroot:x:65532:65532:nonroot:/var/lib/event-export:/nowhere >"$root/etc/passwd"
  printf '%s\n' root:x:0: nonroot:x:65532: >"$root/etc/group"

  # The same, with Node.js, npm, and the registry and the authorities of this machine.
  build=$stage/build
  cp -a "$root" "$build"
  mkdir -p "$build"/usr/local/{bin,lib/node_modules}
  cp "$(node -p 'process.execPath')" "$build/usr/local/bin/node"
  npm=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
  [ -d "$npm/node_modules" ] || fail "The npm of this machine has its parts in other folders."
  cp -a "$npm" "$build/usr/local/lib/node_modules/npm"
  authorities=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
  [ ! -f "$authorities" ] || cp "$authorities" "$build/etc/ssl/certs/ca-certificates.crt"
  printf '%s\n' "registry=$(npm config get registry)" cafile=/etc/ssl/certs/ca-certificates.crt \
    >"$build/usr/local/lib/node_modules/npm/npmrc"

  for base in run build; do
    # Neither times nor owners of this machine.
    tar -C "$stage/$base" --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -c . |
      "$engine" import -c 'ENV PATH=/usr/local/bin:/usr/bin:/bin' - "localhost/event-export-$base-base" >/dev/null
  done
  bases=(--build-arg BUILD_IMAGE=localhost/event-export-build-base --build-arg RUN_IMAGE=localhost/event-export-run-base)
fi

# podman's own format has no HEALTHCHECK, and can leave the times of the build out.
[ "$engine" = docker ] && format=() || format=(--format docker --timestamp 0)
"$engine" build "${format[@]}" --network host --build-arg "VERSION=$version" "${bases[@]}" \
  --tag "$tag" --tag "$tag:$version" --file "$stage/context/Containerfile" "$stage/context"
"$engine" image inspect --format "$tag: {{.Size}} bytes, {{.Id}}" "$tag"
