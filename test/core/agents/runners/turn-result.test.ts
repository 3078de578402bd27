import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../../src/core/agents/agent.ts';
import { NOTHING } from '../../../../src/core/agents/runners/finished-turn.ts';
import { buildTurnResult } from '../../../../src/core/agents/runners/turn-result.ts';
import { presets } from '../../../../src/core/agents/runners/presets/preset-table.ts';
import { readReport } from '../../../../src/core/agents/runners/presets/read-report.ts';
import type { SpeakRequest } from '../../../../src/core/agents/runners/turn-types.ts';

const KEY = 'sEcr3tToken_9f81_0123456789';
const agent = parseAgent('---\ncouncil: { command: [x], env: [MY_KEY] }\n---\n', 'agents/sage.md', 'project');
const request = { agent, env: { MY_KEY: KEY } } as unknown as SpeakRequest;
const ended = (stdout: string, stderr: string) =>
  buildTurnResult(
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
    const printed = Buffer.from(`{"note": "${'a'.repeat(180)} ${KEY}"}`);
    const reading = readReport(presets.claude.shape, { stdout: printed, stderr: '', exitCode: 0 });
    const { reason } = buildTurnResult(
      request,
      { ...NOTHING, exitCode: 0, stdout: printed, ...reading },
      { secrets: [], maxRaw: 1e9 },
    );
    expect(reason).toContain('[redacted]');
    expect(longestPiece(reason!)).toBeLessThan(3);
  });
});

describe('a text that is nothing but a complaint', () => {
  const printing = (stdout: string) =>
    buildTurnResult(request, {
      ...NOTHING,
      exitCode: 0,
      stdout: Buffer.from(stdout),
      stderr: Buffer.alloc(0),
    });

  it.each([
    [
      'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
      'rate-limit',
    ],
    ['{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'rate-limit'],
    ['{"error": {"code": 429, "status": "RESOURCE_EXHAUSTED"}}', 'rate-limit'],
    ['Claude AI usage limit reached|1764201600', 'rate-limit'],
    ["You've hit your usage limit. Try again at 3 PM.", 'rate-limit'],
    ['[API Error: quota exceeded]', 'failed'],
    ['Error: 503 Service Unavailable', 'failed'],
    ['Connection error.', 'failed'],
    ['Execution error', 'failed'],
    ['Invalid API key · Please run /login', 'config'],
    ['Not logged in', 'config'],
    ['Credit balance is too low', 'config'],
    ['⚠ Your session has expired. Log in again.', 'config'],
    ['The model `gpt-9` does not exist or you do not have access to it.', 'config'],
    ['[{"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}}]', 'rate-limit'],
    ['{\n  "error": { "message": "The model `x` does not exist" }\n}', 'config'],
    ['{"detail":"Unauthorized"}', 'config'],
    ['{"message":"Service Unavailable","status":503}', 'failed'],
    ['502 Bad Gateway', 'failed'],
    ['HTTP/1.1 503 Service Unavailable', 'failed'],
    ['<html>\n<head><title>502 Bad Gateway</title></head>\n<body>nginx</body>\n</html>', 'failed'],
    ['API Error: 400\n{"type":"error","error":{"message":"no"}}', 'failed'],
    ['Error: No key found - add one or set the OPENAI_API_KEY environment variable', 'config'],
    ['curl: (7) Failed to connect to localhost port 11434: Connection refused', 'failed'],
    ['TypeError: x is undefined\n    at ask (ask.js:1:2)\n    at main (ask.js:9:1)', 'failed'],
    ['Traceback (most recent call last):\n  File "ask.py", line 1\nKeyError: "x"', 'failed'],
    [
      `Traceback (most recent call last):\n${'  File "x.py", line 1\n'.repeat(90)}openai.AuthenticationError: Error code: 401`,
      'config',
    ],
    [
      `<!DOCTYPE html>\n<!--[if IE]>--> <html class="no-js"> <title>api.x.org | 502: Bad gateway</title>${' '.repeat(2000)}</html>`,
      'failed',
    ],
    ['<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head></html>', 'failed'],
    [
      '<html><head><title>401 Authorization Required</title></head><body><center>nginx</center></body></html>',
      'config',
    ],
    ['<html><body><h1>503 Service Unavailable</h1>\nNo server is available.\n</body></html>', 'failed'],
    ['<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', 'failed'],
    ['HTTP/1.1 429 Too Many Requests\r\nretry-after: 30\r\n\r\n{"error":"rate limited"}', 'rate-limit'],
    ['upstream connect error or disconnect/reset before headers', 'failed'],
    ['404 page not found', 'failed'],
    ['bash: line 1: claude: command not found', 'failed'],
    ['zsh: command not found: claude', 'failed'],
    ['Failed to authenticate. API Error: 401', 'config'],
    ['Your organization has been disabled. Please contact support.', 'failed'],
    ['Unable to connect to the API', 'failed'],
    ['Error: Reached max turns (5)', 'limit'],
    ['No response requested.', 'failed'],
    ['/bin/sh: 1: claude: not found', 'failed'],
    ['Segmentation fault (core dumped)', 'failed'],
    ['undefined', 'failed'],
    ['\u001b[31mError: 401 Unauthorized\u001b[0m', 'config'],
    ["thread 'main' panicked at src/main.rs:10:5:\nno such key", 'failed'],
    ['panic: nil map\n\ngoroutine 1 [running]:\nmain.main()', 'failed'],
    ["node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'x'", 'failed'],
    ['usage: ask.py [-h]\nask.py: error: the following arguments are required: --model', 'failed'],
    [
      "Error: connect ECONNREFUSED 127.0.0.1:1\n    at afterConnect (node:net:1) {\n  code: 'ECONNREFUSED'\n}",
      'failed',
    ],
    ['{"statusCode":401,"message":"Unauthorized. Access token is missing"}', 'config'],
    ['{"detail":[{"type":"missing","loc":["body","model"],"msg":"Field required"}]}', 'failed'],
    [`{"error":{"message":"${'x'.repeat(2000)}"}}`, 'failed'],
  ])('is a failed launch, whatever the exit code, and keeps what was printed: %j', (text, kind) => {
    const { ok, failure, reason, output, renderPrinted } = printing(`${text}\n`);
    expect({ ok, failure }).toEqual({ ok: false, failure: kind });
    expect(reason).toMatch(/^printed nothing but a complaint: /);
    expect(output.toString()).toContain(text);
    expect(renderPrinted!().stdout).toContain(stripVTControlCharacters(text));
  });

  it.each([
    'Rate limits would be reached in March.',
    'API errors are the main risk.',
    'Connection error handling must be tested.',
    'Invalid API keys are logged today.',
    'Missing API key rotation is the problem.',
    'The model for pricing does not exist.',
    'Overloaded queues are the reason.',
    'Position: rate limit exceeded requests',
    'API Error: 529\n\nThat is what the log says; keep the monolith.',
    '{"position": "Keep it", "error": "none"}',
    'Error handling first.',
    'Not logged in users must see it too.',
    'Error: the brief names no owner, and that is the risk.',
    'Error: 404 pages are the symptom.\n\nKeep it.',
    '{"position": "Keep it", "errors": ["none yet"]}',
    '{"claims": ["502 Bad Gateway"], "status": "open"}',
    '<html><title>Keep it</title><body>One release train.</body></html>',
    '500 users are too many for one node.',
    'Not acceptable: the plan loses data.',
    'Gone.',
    'Traceback (most recent call last): that is what users see.',
    'Error: three gaps in the plan:\n  - no owner\n  - no date',
    'Error code: 502 appears in 3 % of the calls.',
    'HTTP 404 pages are the symptom.',
    'Verdict: not found',
    'Killed features stay killed.',
    'panic: that is what the team does.\n\nKeep calm.',
    'usage: keep it small.\nNothing else.',
    '{"ok": false, "reason": "two tests fail"}',
    '{"answer": "Keep it", "error": "none"}',
    '{"errors": ["src/x.ts:3 unused"], "warnings": []}',
    '{"findings": [{"loc": "src/x.ts:3", "text": "leak"}]}',
  ])('is told from an answer that speaks of one: %j', (text) => {
    expect(printing(text).ok).toBe(true);
  });
});
