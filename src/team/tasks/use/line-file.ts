// A file that grows by writes at offsets, on the disk.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { CouncilError } from '../../../core/base/errors.ts';
import { attempt, useAndClose, asIoError, fsyncDir } from '../../../core/store/local/disk.ts';
import { makeOwnFolder, hasOwnFolder } from '../../../core/store/local/folders.ts';
import { readBytes } from '../../../core/store/local/read.ts';
import type { LineFile } from '../audit-trail.ts';

/** A link would lead elsewhere. Windows has neither flag. */
const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
// Opening a FIFO without a reader would block forever.
const WRITE_FLAGS = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const createNotAFileError = (path: string): CouncilError =>
  new CouncilError('not_a_file', `${path} is not a file that council can write.`, {
    hint: 'Move it away: ls -l shows what it is.',
  });

const MAX_BYTES = 512 * 1024 * 1024;

/**
 * The file at `path` (absolute) in the project at `root`; created on first write, never opened through a
 * link.
 */
export function openLineFile(root: string, path: string): LineFile {
  let isMade = false;
  return {
    read: async () => Buffer.from(readBytes(path, { limit: MAX_BYTES }) ?? '').toString('utf8'),
    size: async () => attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }))?.size ?? 0,
    async writeAt(offset, bytes, { durable = true } = {}) {
      // The names of the folders have to be made durable once, even if another process created them.
      if (!isMade || !hasOwnFolder(root, dirname(path))) makeOwnFolder(root, dirname(path));
      isMade = true;
      const found = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
      if (found && !found.isFile()) throw createNotAFileError(path);
      const fd = attempt('open', path, () => fs.openSync(path, WRITE_FLAGS, 0o666));
      useAndClose(fd, path, () => {
        try {
          if (!fs.fstatSync(fd).isFile()) throw createNotAFileError(path);
          for (let at = 0; at < bytes.length;)
            at += fs.writeSync(fd, bytes, at, bytes.length - at, offset + at);
          if (durable) fs.fsyncSync(fd);
        } catch (error) {
          throw asIoError(error, 'write', path);
        }
      });
      if (!found) fsyncDir(dirname(path));
    },
  };
}
