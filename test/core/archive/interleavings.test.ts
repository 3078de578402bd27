import fc from 'fast-check';
import { expect, it } from 'vitest';
import { archiveOfConversation, listArchives } from '../../../src/core/archive/read.ts';
import { finishArchive } from '../../../src/core/archive/write.ts';
import { serialize } from '../../../src/core/council/document/document.ts';
import { respond } from '../../../src/core/council/use/respond.ts';
import { readCouncil } from '../../../src/core/council/use/council-access.ts';
import { pausingMemoryPorts } from '../../helpers/memory-ports.ts';
import { debate, END, finished } from './sample.ts';
import { countCases } from '../../helpers/long.ts';

const flags = { agree: false, done: false, block: [] };
const late = 'Something that came too late.';

it('two who finish a council at once, and one who is late, leave one archive and lose no text', () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.boolean(), async (scheduler, isTaken) => {
      const { ports, quiet } = pausingMemoryPorts(Date.parse(END), () =>
        scheduler.schedule(Promise.resolve()),
      );
      const { state, ...rest } = finished(debate());
      const { conversationId, closing, name } = state;
      await quiet.store.commit(name, serialize({ ...rest, state: { ...state, revision: 1 } }), 0);
      if (isTaken) await quiet.archives.create(closing!.path, 'somebody else wrote this');

      const snapshot = await readCouncil(quiet, name);
      const said = { name, participant: 'henry', bytes: Buffer.from(late), flags, replace: false };
      const work = [
        finishArchive(ports, snapshot),
        finishArchive(ports, snapshot),
        respond(ports, said).catch(() => undefined),
      ];
      await scheduler.waitFor(Promise.all(work));

      expect(await quiet.store.read(name)).toBeUndefined();
      expect((await listArchives(quiet.archives)).archives).toHaveLength(1);
      expect((await archiveOfConversation(quiet.archives, conversationId))?.topic).toBe(state.topic);
      const [kept, unplaced] = [
        await quiet.lateFiles.list(conversationId),
        await quiet.privateFiles.listKept(),
      ];
      expect(kept.length + unplaced.length).toBe(1);
    }),
    { numRuns: countCases(100) },
  ));
