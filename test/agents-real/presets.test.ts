import { describe, it } from 'vitest';
import { playDebate, preset } from './debate.ts';
import { KINDS } from './install.ts';
import { need, newLab } from './lab.ts';
import { script } from './speech.ts';

describe('a whole debate through the presets', () => {
  it.for(KINDS)('%s, with itself', async (kind, context) => {
    need(context, kind);
    const said = script(['ada', 'ben', 'cleo']);
    const lab = await newLab(said.answer);
    const keys = preset(kind);
    await playDebate(lab, said, { ada: keys, ben: keys, cleo: keys }, 'cleo');
  });
});
