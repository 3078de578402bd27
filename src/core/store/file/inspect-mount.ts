// Which file system holds a folder.
import fs from 'node:fs';
import { sep } from 'node:path';
import { systemCode } from '../../base/errors.ts';
import { attempt } from '../local/disk.ts';

/** Where a folder is kept. */
export interface MountFacts {
  /** Such as ext4 or nfs4; null where the system does not tell. */
  type: string | null;
  /** True when another machine keeps it; null when the type is not known. */
  network: boolean | null;
  /** Mounted read-only. */
  readOnly: boolean;
}

const NETWORK =
  /^(nfs\d?|cifs|smb\w*|ncpfs|9p|afs|coda|ceph|glusterfs|lustre|gpfs|beegfs|ocfs2|gfs2|davfs|virtiofs|vboxsf|fuse\.(sshfs|rclone|s3fs|gcsfuse|glusterfs|ceph.*|davfs2?|smb.*|vmhgfs.*))$/;

/** Asks the system where `path` (a folder that exists) is kept. Throws `io`. */
export function inspectMount(path: string): MountFacts {
  const real = attempt('resolve', path, () => fs.realpathSync(path));
  const mount = findMountOfPath(real, readMounts());
  return {
    type: mount?.type ?? null,
    network: mount === undefined ? null : NETWORK.test(mount.type),
    readOnly: mount?.readOnly ?? false,
  };
}

/** Whether only this machine changes what lies in a folder, so that the system can tell of it: false where that is not known. */
export function isOwnMount(folder: string): boolean {
  try {
    const mount = findMountOfPath(fs.realpathSync(folder), readMounts());
    // A program stands behind fuse, which may fetch from anywhere.
    return mount !== undefined && !NETWORK.test(mount.type) && !mount.type.startsWith('fuse');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

interface Mount {
  type: string;
  readOnly: boolean;
}

/** The mount that holds `path`: the longest mount point above it, and of two on one point the later. */
export function findMountOfPath(path: string, mounts: string): Mount | undefined {
  let best: { point: string; mount: Mount } | undefined;
  for (const line of mounts.split('\n')) {
    const [, written, type, options] = line.split(' ');
    if (written === undefined || type === undefined) continue;
    // Blanks and backslashes of a mount point are written as \040 and the like.
    const point = written.replace(/\\([0-7]{3})/g, (_, code: string) =>
      String.fromCharCode(parseInt(code, 8)),
    );
    const holds = path === point || path.startsWith(point.endsWith(sep) ? point : point + sep);
    if (!holds || point.length < (best?.point.length ?? 0)) continue;
    best = { point, mount: { type, readOnly: options?.split(',').includes('ro') === true } };
  }
  return best?.mount;
}

/** Only Linux has that file; elsewhere the type stays unknown. */
function readMounts(): string {
  try {
    return fs.readFileSync('/proc/self/mounts').toString('utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw error;
  }
}
