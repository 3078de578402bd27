import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LogsDocument } from '../../src/team/log/logs.ts';
import { playDebate, preset } from './debate.ts';
import { KINDS } from './install.ts';
import { newLab } from './lab.ts';
import { script } from './speech.ts';

describe('a whole debate through the presets', () => {
  it.for(KINDS)('%s, with itself', async (kind, context) => {
    const said = script(['ada', 'ben', 'cleo']);
    const lab = await newLab(context, [kind], said.answer);
    const keys = preset(kind);
    await playDebate(lab, said, { ada: keys, ben: keys, cleo: keys }, 'cleo');
  });

  it('claude, with "verbose" in its settings, which makes its report the last of a list', async (context) => {
    const said = script(['ada', 'ben', 'cleo']);
    const lab = await newLab(context, ['claude'], said.answer);
    const { project } = lab;
    const home = project.env.CLAUDE_CONFIG_DIR!;
    fs.mkdirSync(home, { recursive: true });
    fs.writeFileSync(join(home, 'settings.json'), JSON.stringify({ verbose: true }));
    const keys = preset('claude');
    await playDebate(lab, said, { ada: keys, ben: keys, cleo: keys }, 'cleo');
    const { json } = await project.council<LogsDocument>(['logs', 'ada', '--last', '3', '--json']);
    expect(json.launches.map(({ stdout }) => stdout.trimStart().charAt(0))).toEqual(['[', '[', '[']);
  });
});
