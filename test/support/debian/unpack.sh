#!/usr/bin/env bash
# unpack.sh [-k] [-s SUITE] [-i PACKAGE]… FOLDER PACKAGE…: unpacks packages and their dependencies into
# FOLDER, from the package mirror of this machine's apt. Needs no root and installs nothing; apt checks
# the signatures. FOLDER appears only when complete. On failure, the last line on stderr is the reason.
#   -k          keeps the licences, and notes the packages in var/lib/dpkg/status.d, where scanners look for them
#   -s SUITE    on Debian, the suite to take them from; else the machine's own
#   -i PACKAGE  treats the package as installed
# A PACKAGE that ends with * means the newest package with that prefix.
set -euo pipefail
fail() { echo "$*" >&2; exit 1; }

suite= installed=() keep=
while getopts ks:i: option; do
  case $option in
    k) keep=yes ;;
    s) suite=$OPTARG ;;
    i) installed+=("$OPTARG") ;;
    *) exit 2 ;;
  esac
done
shift $((OPTIND - 1))
target=$1
shift

for tool in apt-get apt-cache dpkg dpkg-deb; do
  command -v "$tool" >/dev/null || fail "no $tool here, so not Debian or Ubuntu"
done
. /etc/os-release
case $ID in
  debian) components=main suites=${suite:-$VERSION_CODENAME} ;;
  ubuntu) components="main universe" suites="$VERSION_CODENAME $VERSION_CODENAME-updates" ;;
  *) fail "neither Debian nor Ubuntu" ;;
esac

mirror=$(apt-get indextargets --format '$(COMPONENT) $(CREATED_BY) $(REPO_URI)' |
  awk '$1 == "main" && $2 == "Packages" && $3 !~ /security/ { print $3; exit }') || true
[ -n "$mirror" ] || fail "apt has no package mirror set"
keyring=/usr/share/keyrings/$ID-archive-keyring.gpg
architecture=$(dpkg --print-architecture)

mkdir -p "$(dirname "$target")"
work=$(mktemp -d "$target.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{lists/partial,archives/partial,root}

cat >"$work/mirror.sources" <<SOURCES
Types: deb
URIs: $mirror
Suites: $suites
Components: $components
Signed-By: $keyring
SOURCES
touch "$work/status"
for package in "${installed[@]}"; do
  cat >>"$work/status" <<STATUS
Package: $package
Status: install ok installed
Architecture: $architecture
Multi-Arch: allowed
Maintainer: none
Version: 999
Description: stand-in

STATUS
done
cat >"$work/apt.conf" <<CONF
Dir::Etc::SourceList "$work/mirror.sources";
Dir::Etc::SourceParts "/dev/null";
Dir::Etc::Preferences "/dev/null";
Dir::Etc::PreferencesParts "/dev/null";
Dir::State::Lists "$work/lists";
Dir::State::Status "$work/status";
Dir::State::extended_states "$work/extended_states";
Dir::Cache "$work";
Dir::Cache::Archives "$work/archives";
Dir::Log "$work";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
APT::Architecture "$architecture";
APT::Architectures { "$architecture"; };
APT::Sandbox::User "";
APT::Install-Recommends "false";
APT::Keep-Downloaded-Packages "true";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "20";
CONF

apt-get -c "$work/apt.conf" -qq --error-on=any update >&2 ||
  fail "the package mirror can't be reached or trusted"
packages=()
for wanted in "$@"; do
  name=$(apt-cache -c "$work/apt.conf" pkgnames "${wanted%\*}" | sort -V |
    if [ "$wanted" = "${wanted%\*}" ]; then grep -x -F "$wanted"; else tail -n 1; fi) || true
  [ -n "$name" ] || fail "the package mirror has no ${wanted%\*}"
  packages+=("$name")
done
apt-get -c "$work/apt.conf" -qq -y --download-only install "${packages[@]}" >&2 ||
  fail "${packages[*]} can't be fetched"
for deb in "$work"/archives/*.deb; do
  if [ -n "$keep" ]; then
    name=$(dpkg-deb --field "$deb" Package)
    mkdir -p "$work/root/var/lib/dpkg/status.d"
    dpkg-deb --field "$deb" >"$work/root/var/lib/dpkg/status.d/$name"
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/root" --no-same-owner --wildcards \
      "./usr/share/doc/*/copyright" 2>/dev/null || true
  fi
  dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/root" --no-same-owner \
    --exclude './usr/share/doc*' --exclude './usr/share/man*' --exclude './usr/share/locale*'
done
# Another process may have finished first; its folder is as good.
mv -T "$work/root" "$target" 2>/dev/null || [ -d "$target" ]
