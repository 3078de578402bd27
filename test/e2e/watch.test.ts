import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Viewed } from '../helpers/documents.ts';
import { newProject, until } from '../helpers/cli.ts';
import { HAS_TERMINAL, onTerminal } from '../helpers/look.ts';
import { addAgent } from '../helpers/speakers.ts';
import { IS_SHORT } from '../helpers/long.ts';

const long = it.skipIf(IS_SHORT);

describe('watch', () => {
  it('prints a line for every change where there is no terminal', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Watched', '--name', 'one', '--mode', 'synthesis']);
    await project.council(['start', 'Not watched', '--name', 'two']);
    const watch = project.launch(['watch', '--name', 'one']);
    const saw = (sign: RegExp) => until(`watch prints ${sign}`, () => sign.test(watch.output()));
    await saw(/one r1 COLLECT round 1 ACTIVE ana=WAITING\n/);
    await project.council(['respond', 'ana', '--name', 'two'], { input: 'elsewhere' });
    await project.council(['respond', 'ana', '--name', 'one'], { input: 'here' });
    await saw(/one r2 COLLECT round 1 ACTIVE ana=RESPONDED\n/);
    await project.council(['tick', '--name', 'one']);
    await saw(/one r3 SYNTHESIZE round 2 COMPLETED/);
    watch.child.kill('SIGINT');
    const { code, stdout } = await watch.ended;
    expect(code).toBe(0);
    expect(stdout).not.toContain('two');
    expect(stdout.trim().split('\n')).toHaveLength(3);
  });
});

describe.skipIf(!HAS_TERMINAL)('on a terminal', () => {
  it('takes a contribution from $EDITOR, arguments and all', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Written by hand', '--open']);
    const editor = join(project.outside, 'editor.sh');
    fs.writeFileSync(
      editor,
      '#!/bin/sh\n[ "$1" = --wait ] || exit 9\nprintf "typed by hand\\r\\n" > "$2"\n',
      { mode: 0o755 },
    );
    const { status, output } = onTerminal(project, ['respond', 'ana'], { EDITOR: `${editor} --wait` });
    expect({ status, output }).toMatchObject({
      status: 0,
      output: expect.stringContaining('Recorded: ana, COLLECT (round 1), 15 bytes') as string,
    });
    expect(project.read('memory/shared/council-active-conversation.md').toString()).toContain(
      'typed by hand\r\n',
    );
    const failing = join(project.outside, 'failing.sh');
    fs.writeFileSync(failing, '#!/bin/sh\nprintf "half a text" > "$1"; exit 1\n', { mode: 0o755 });
    const failed = onTerminal(project, ['respond', 'ana', '--replace'], { EDITOR: failing });
    expect(failed).toMatchObject({
      status: 2,
      output: expect.stringMatching(/editor .* failed; your text is in/) as string,
    });
    const [, kept] = /your text is in (\S+)\./.exec(failed.output)!;
    expect(fs.readFileSync(kept!, 'utf8')).toBe('half a text');
    for (const [program, said] of [
      ['/bin/false', 'failed; nothing was written'],
      ['not-there', 'was not found; nothing was written'],
    ] as const)
      expect(onTerminal(project, ['respond', 'ana', '--replace'], { EDITOR: program })).toMatchObject({
        status: 2,
        output: expect.stringContaining(said) as string,
      });
    expect(onTerminal(project, ['respond', 'ana']).output).toContain('$EDITOR is not set');
  });

  long('shows in the editor what the turn asks for, and sends only what stands above', async () => {
    const project = await newProject();
    for (const id of ['ana', 'bob']) addAgent(project, id);
    await project.council(['start', 'Written by hand']);
    const editor = join(project.outside, 'fill.sh');
    const seen = join(project.outside, 'seen.md');
    fs.writeFileSync(
      editor,
      `#!/bin/sh\ncp "$1" ${seen}\nsed -i 's/^position:$/position: by hand/; 5a\\\nBecause it is quick.' "$1"\n`,
      { mode: 0o755 },
    );
    const { status, output } = onTerminal(project, ['respond', 'ana'], { EDITOR: editor });
    expect({ status, output }).toMatchObject({ status: 0 });
    const shown = fs.readFileSync(seen, 'utf8');
    expect(shown).toMatch(
      /^---\nposition:\nconfidence:\nblocking:\n---\n\n\n<!-- Everything from this line on/,
    );
    // A person reads the words of the page, the deadline in local time, and not the prompt of a model.
    expect(shown).toContain('is not sent. -->\n\n# Written by hand\n');
    expect(shown).not.toContain('council-text-');
    expect(shown).toMatch(/Deadline: in .*, \d\d:\d\d\n/);
    const unchanged = onTerminal(project, ['respond', 'bob'], { EDITOR: 'true' });
    expect(unchanged).toMatchObject({
      status: 2,
      output: expect.stringContaining('nothing was sent') as string,
    });
    await project.council(['respond', 'bob'], { input: 'No.' });
    await project.council(['tick', '--no-launch']);
    const later = await project.council<Viewed>(['view', 'bob', '--json']);
    expect(later.json.contributions[0]!.text).toBe(
      '---\nposition: by hand\nblocking:\n---\nBecause it is quick.\n\n',
    );
  });

  long('shows colours unless NO_COLOR is set', async () => {
    const project = await newProject();
    addAgent(project, 'ana');
    await project.council(['start', 'Coloured']);
    expect(onTerminal(project, ['status']).output).toContain('\u001b[1mColoured');
    expect(onTerminal(project, ['status'], { NO_COLOR: '1' }).output).not.toContain('\u001b[');
    expect((await project.council(['status'])).stdout).not.toContain('\u001b[');
  });
});
