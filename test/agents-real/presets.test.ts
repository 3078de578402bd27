import { describe, it } from 'vitest';
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
});
