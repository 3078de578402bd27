// A process of its own for the tests of the store: `node act.ts <action> <dir> <key> [args]`.
// What it prints on stdout is what it has been promised.
import { fileStore } from '../../../../src/core/store/file/file-store.ts';
import { openLateFiles } from '../../../../src/core/store/file/archive-files.ts';
import { openPrivateDir } from '../../../../src/core/store/file/private-dir.ts';
import { bodyOf, doc, readStamp } from '../stamp.ts';

const [action, dir, key, ...rest] = process.argv.slice(2) as [string, string, string, ...string[]];
const ID = '11111111-1111-4111-8111-111111111111';
const store = fileStore({ dir, prefix: 'council-', readStamp });

const actions: Record<string, () => Promise<unknown>> = {
  /** append <word> <times>: one line a commit. */
  async append() {
    const [word, times = '1'] = rest;
    for (let i = 1; i <= Number(times); i++) {
      const line = Number(times) === 1 ? word : `${word}-${i}`;
      const { revision } = await store.update(key, (current, next) =>
        doc(
          current ? (readStamp(current.text)?.id ?? ID) : ID,
          next,
          `${current ? bodyOf(current.text) : ''}${line}\n`,
        ),
      );
      process.stdout.write(`${revision} ${line}\n`);
    }
  },
  read: async () => process.stdout.write(JSON.stringify((await store.read(key)) ?? null)),
  remove: async () => process.stdout.write(`${await store.remove(key, await store.revision(key))} removed\n`),
  dropEdit: async () => process.stdout.write(`${await store.dropEdit(key)}\n`),
  late: async () => process.stdout.write(await openLateFiles(dir).keep(ID, key, Buffer.from(rest[0]!))),
  private: async () => {
    const files = openPrivateDir({ env: process.env, projectRoot: dir });
    process.stdout.write(await files.write(ID, key, Buffer.from(rest[0]!)));
  },
};

await actions[action]!();
