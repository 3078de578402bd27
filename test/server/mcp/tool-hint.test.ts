import { describe, expect, it } from 'vitest';
import { toolHint } from '../../../src/server/mcp/tool-results.ts';

describe('the hint of an error, for a client of the tools', () => {
  it.each([
    ['Active: a, b. Choose one with --name.', 'Active: a, b. Choose one with the argument name.'],
    ['Start one with: council start "topic"', 'Start one with: the tool start "topic"'],
    ['Its archive: council show 2026-11-22-which', 'Its archive: the tool show 2026-11-22-which'],
    ['Then: council tick --until-idle', 'Then: the tool tick the argument untilIdle'],
    ['Modes: debate, prd.', 'Modes: debate, prd.'],
  ])('names the tool and its arguments: %s', (said, hint) => {
    expect(toolHint(said)).toBe(hint);
  });

  it('leaves to whoever has a command line what no tool does, line by line', () => {
    const adds =
      '- let people answer: council agents add ana --runner human, then council run "…" --agents ana';
    expect(toolHint(`See: council list\n${adds}`)).toBe(`See: the tool list\n${adds}`);
    expect(toolHint('Trust it: council trust --yes, or council start --trust')).toBe(
      'Trust it: council trust --yes, or council start --trust',
    );
  });
});
