// File driver: a file that lines are added to.
import fs from 'node:fs';
import { dirname } from 'node:path';
import { CouncilError } from '../../base/errors.ts';
import type { LineFile } from '../small-files.ts';
import { asIoError, attempt, useAndClose, fsyncDir } from '../local/disk.ts';
import { makeOwnFolder, ownFolder } from '../local/folders.ts';
import { readBytes } from '../local/read.ts';

// To open a FIFO without a reader would block for ever. Windows has neither of the last two.
const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;
const FLAGS = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK;

const notAFile = (path: string): CouncilError =>
  new CouncilError('not_a_file', `${path} is not a file that council can write.`, {
    hint: 'Move it away: ls -l shows what it is.',
  });

const MAX_BYTES = 512 * 1024 * 1024;

/** The file at `path` (absolute) of the project at `root`; it is made when it is written first, and never reached through a link. */
export function lineFile(root: string, path: string): LineFile {
  let isMade = false;
  return {
    read: async () => Buffer.from(readBytes(path, { limit: MAX_BYTES }) ?? '').toString('utf8'),
    size: async () => attempt('look at', path, () => fs.statSync(path, { throwIfNoEntry: false }))?.size ?? 0,
    async writeAt(offset, bytes, { durable = true } = {}) {
      // The names of the folders have to be durable once, also where another process has made them.
      if (!isMade || !ownFolder(root, dirname(path))) makeOwnFolder(root, dirname(path));
      isMade = true;
      const found = attempt('look at', path, () => fs.lstatSync(path, { throwIfNoEntry: false }));
      if (found && !found.isFile()) throw notAFile(path);
      const fd = attempt('open', path, () => fs.openSync(path, FLAGS, 0o666));
      useAndClose(fd, path, () => {
        try {
          if (!fs.fstatSync(fd).isFile()) throw notAFile(path);
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
