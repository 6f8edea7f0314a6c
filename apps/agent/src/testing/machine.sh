#!/bin/sh
# Boots this machine's Debian again, with systemd, as a separate machine in the current network namespace. An overlay keeps
# its writes in a folder. Started by machine.ts in namespaces of its own.
# $1: the folder that is its disk; $2: a mount point
set -e
mount --make-rprivate /
if [ ! -e "$1/upper" ]; then
  # Hides everything that is no part of a small Debian: checkouts, homes, large files (a device 0 0 is an overlay whiteout).
  for path in $(find / -mindepth 1 -maxdepth 1 | grep -Ev '^/(bin|boot|dev|etc|lib.*|proc|run|sbin|sys|tmp|usr|var)$') \
    $(du -xs --threshold=30M /usr/lib/* /usr/share/* /usr/local /usr/include /usr/src /var/cache/*/* | cut -f 2 |
      grep -Ev -e '-linux-gnu$|/(perl|python3.*|dpkg|postgresql)$') \
    $(find /usr /var -xdev -type f -size +8M -not -path '/usr/lib/postgresql/*' -not -name 'libicudata*'); do
    folder="$1/upper$(dirname "$path")"
    # Not below a hidden folder.
    if ! [ -e "$folder" ]; then mkdir -p "$folder" 2> /dev/null || continue; fi
    [ -d "$folder" ] && ! [ -e "$1/upper$path" ] && mknod "$1/upper$path" c 0 0
  done
fi
mkdir -p "$1/upper" "$1/work" "$2"
mount -t overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" overlay "$2"
cd "$2"
mkdir -p root
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
# Sysctls are shared with this machine, except those of its network namespace.
mount --bind proc/sys proc/sys
mount --bind proc/sys/net proc/sys/net
mount -o remount,bind,ro proc/sys
if [ -e /sys/fs/cgroup/cgroup.procs ]; then
  mount -t cgroup2 cgroup2 sys/fs/cgroup
else
  mount -t tmpfs tmpfs sys/fs/cgroup
  mkdir sys/fs/cgroup/systemd
  mount -t cgroup -o none,name=systemd cgroup sys/fs/cgroup/systemd
fi
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty net/tun; do
  mkdir -p "$(dirname "dev/$device")"
  touch "dev/$device"
  mount --bind "/dev/$device" "dev/$device"
done
# Units with devices of their own need them.
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
ln -s pts/ptmx dev/ptmx
mount -t tmpfs tmpfs dev/shm
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
# No services of this machine, only what the test installs.
if [ ! -e "$1/upper/etc/systemd/system" ]; then rm -rf "$2"/etc/systemd/system/* "$2"/etc/rc?.d/*; fi
mkdir run/before
pivot_root . run/before
umount -l run/before
# The default on a real machine; systemd needs it to pass credentials.
mount --make-rshared /
exec /lib/systemd/systemd --system --unit=multi-user.target --show-status=no
