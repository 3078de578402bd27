import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/agents/agent.ts';
import { NOTHING } from '../../../src/agents/runners/ended.ts';
import { outcome } from '../../../src/agents/runners/outcome.ts';
import { claude } from '../../../src/agents/runners/presets/claude.ts';
import type { SpeakRequest } from '../../../src/agents/runners/speak.ts';

const KEY = 'sEcr3tToken_9f81_0123456789';
const agent = parseAgent('---\ncouncil: { command: [x], env: [MY_KEY] }\n---\n', 'agents/sage.md', 'project');
const request = { agent, env: { MY_KEY: KEY } } as unknown as SpeakRequest;
const ended = (stdout: string, stderr: string) =>
  outcome(
    request,
    {
      ...NOTHING,
      exitCode: 1,
      stdout: Buffer.from(stdout),
      stderr: Buffer.from(stderr),
      answer: Buffer.alloc(0),
    },
    { secrets: [], maxRaw: 1e9 },
  );

/** The longest piece of the key that is in a text. */
function longestPiece(text: string): number {
  let longest = 0;
  for (let from = 0; from < KEY.length; from++)
    for (let to = from + longest + 1; to <= KEY.length && text.includes(KEY.slice(from, to)); to++)
      longest = to - from;
  return longest;
}

describe('fault 21: a secret that a limit cuts', () => {
  it('is found whole before what a program printed is cut to its last 2 KiB', () => {
    for (const before of [0, 5, 13, 26]) {
      const rest = 'x'.repeat(2048 - KEY.length + before);
      const { reason } = ended(`${'.'.repeat(5000)}${KEY}${rest}`, '');
      expect(longestPiece(reason!)).toBeLessThan(3);
      expect(longestPiece(ended('', `said ${KEY}${rest}`).stderrTail)).toBeLessThan(3);
    }
  });

  it('is not shown in pieces when the kept end of the output begins within it', () => {
    for (const cut of [1, 8, 20]) {
      const kept = `${KEY.slice(cut)} ${KEY} `.repeat(2000).slice(-32 * 1024);
      const [begun, told] = [KEY.slice(cut) + kept.slice(KEY.length - cut), ended(kept, kept)];
      expect(begun.length).toBe(32 * 1024);
      const shown = ended(begun, begun);
      for (const text of [told.reason!, told.stderrTail, shown.reason!, shown.stderrTail])
        expect(text).not.toContain(KEY);
    }
    // Nothing but the key, so that masking brings the beginning of what is kept into what is shown.
    const all = KEY.repeat(2000).slice(-32 * 1024);
    expect(all.startsWith(KEY)).toBe(false);
    expect(longestPiece(ended('', all).stderrTail)).toBeLessThan(3);
  });

  it('is found before the output that is no report is cut for the reason', () => {
    const printed = Buffer.from(`${'a'.repeat(190)} ${KEY}`);
    const reading = claude.read({ stdout: printed, stderr: '', exitCode: 0 });
    const { reason } = outcome(
      request,
      { ...NOTHING, exitCode: 0, stdout: printed, ...reading },
      { secrets: [], maxRaw: 1e9 },
    );
    expect(reason).toContain('[redacted]');
    expect(longestPiece(reason!)).toBeLessThan(3);
  });
});
