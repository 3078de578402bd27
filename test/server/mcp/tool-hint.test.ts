import { describe, expect, it } from 'vitest';
import { rewriteHint } from '../../../src/server/mcp/tool-results.ts';

describe('the hint of an error, for a client of the tools', () => {
  it.each([
    ['Active: a, b. Choose one with --name.', 'Active: a, b. Choose one with the argument name.'],
    ['Start one with: council start "topic"', 'Start one with: the tool start {"topic":"topic"}'],
    [
      'Its archive: council show 2026-11-22-which',
      'Its archive: the tool show {"archive":"2026-11-22-which"}',
    ],
    ['Then: council tick --until-idle', 'Then: the tool tick {"untilIdle":true}'],
    [
      'Recipients: human, all. For example: council send human "Please look"',
      'Recipients: human, all. For example: the tool send {"to":"human","text":"Please look"}',
    ],
    [
      'Start one with: council ask "QUESTION". The newest archive: council show',
      'Start one with: the tool ask {"question":"QUESTION"}. The newest archive: the tool show',
    ],
    [
      'For example: council reserve src/queue.ts "test/**/*.ts" docs --as AGENT',
      'For example: the tool reserve {"patterns":["src/queue.ts","test/**/*.ts","docs"],"as":"AGENT"}',
    ],
    [
      'Read it with council view ana, and answer with council respond ana. In a browser …',
      'Read it with the tool view {"agent":"ana"}, and answer with the tool respond {"agent":"ana"}. In a browser …',
    ],
    [
      'Archive one first; council history --name q shows what was there.',
      'Archive one first; the tool history {"name":"q"} shows what was there.',
    ],
    [
      'It is not a council state file. `council history` lists the kept revisions.',
      'It is not a council state file. `the tool history` lists the kept revisions.',
    ],
    ['See: council task show S1/T2', 'See: the tool task {"action":"show","text":"S1/T2"}'],
    ['Modes: debate, prd.', 'Modes: debate, prd.'],
  ])('names the tool and its arguments: %s', (said, hint) => {
    expect(rewriteHint(said)).toBe(hint);
  });

  it('leaves to whoever has a command line what no tool does', () => {
    const adds =
      '- let people answer: council agents add ana --runner human, then council run "…" --agents ana';
    expect(rewriteHint(`See: council list\n${adds}`)).toBe(`See: the tool list\n${adds}`);
    for (const decides of ['council approvals approve ID --as NAME', 'council task retry T1'])
      expect(rewriteHint(`A person: ${decides}`)).toBe(`A person: ${decides}`);
    expect(rewriteHint('Trust it: council trust --yes, or council start --trust')).toBe(
      'Trust it: council trust --yes, or council start --trust',
    );
  });
});
