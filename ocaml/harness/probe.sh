# Tells the version of an OCaml that has Lwt with its loop: sh probe.sh OCAMLOPT.
set -e
where=$("$1" -where)
for folder in "$where" "$where/.."; do
    if [ -f "$folder/lwt/unix/lwt_unix.cmxa" ]; then
        exec "$1" -version
    fi
done
echo "no Lwt beside $where" >&2
exit 1
