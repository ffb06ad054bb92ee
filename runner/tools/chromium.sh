#!/bin/sh
# Makes what Chromium's packages lack where they were only unpacked, in FOLDER: a list of its fonts, and a launcher that names
# its libraries (PulseAudio's lie in a folder of their own).
set -eu
folder=$1
libraries=$folder/usr/lib/$2
cat > "$folder/fonts.conf" << END
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>$folder/usr/share/fonts</dir><cachedir>$folder/var/cache/fontconfig</cachedir></fontconfig>
END
cat > "$folder/chromium" << END
#!/bin/sh
export FONTCONFIG_FILE='$folder/fonts.conf'
export LD_LIBRARY_PATH='$libraries:$folder/lib/$2:$libraries/pulseaudio:$libraries/nss'
exec '$folder/usr/lib/chromium/chromium-headless-shell' "\$@"
END
chmod +x "$folder/chromium"
