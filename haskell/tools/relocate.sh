#!/bin/sh
# Makes Debian's GHC work in FOLDER, where its packages were unpacked: its scripts and its list of packages name /usr/lib/ghc,
# and a link leads from there to the list. The list knows a name for GHC's own folder, and would split a path at its spaces.
set -eu
folder=$1
top=$(dirname "$(find "$folder/usr/lib/ghc" -maxdepth 2 -name settings)") # usr/lib/ghc; since GHC 9.6 usr/lib/ghc/lib
list=$folder/var/lib/ghc/package.conf.d
named=$(printf '%s' "$folder" | sed 's/[&#\\]/\\&/g')
find "$folder/usr/bin" -type f -exec sed -i "s#/usr/lib/ghc#$named/usr/lib/ghc#g" {} +
find "$list" -type f -exec sed -i "s#${top#"$folder"}#\$topdir#g" {} +
ln -sfn "$list" "$top/package.conf.d"
"$folder/usr/bin/ghc-pkg" recache
