import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { editAgent } from '../../../src/core/agents/render-agent.ts';

const FILE = `---
# who reviews what is to be deployed
name: henry
model: opus   # the big one
color: purple

council:
  title: "Henry"   # as on the door
  capabilities:
    - reason      # slowly
    - plan
  timeout: 90s
x-own: [a,b,  c]
---

You look after what must not be lost.

---
not front matter
`;
const edit = (settings: Record<string, unknown>, text = FILE, persona?: string): string =>
  editAgent(text, 'henry.md', { settings, persona });

describe('editAgent', () => {
  it('changes what is given, and leaves comments, order and the text alone', () => {
    const text = edit({ role: 'worker', model: 'sonnet', timeout: '30s', capabilities: ['code_read'] });
    expect(text).toBe(`---
# who reviews what is to be deployed
name: henry
model: sonnet # the big one
color: purple

council:
  title: "Henry" # as on the door
  capabilities: [code_read]
  timeout: 30s
  role: worker
x-own: [a, b, c]
---

You look after what must not be lost.

---
not front matter
`);
  });

  it('takes keys out, and puts them where the file has them already', () => {
    const text = edit({ capabilities: undefined, title: undefined, max_depth: undefined });
    expect(text).not.toMatch(/capabilities|title|max_depth/);
    expect(text).toContain('# who reviews');
    const below = edit(
      { model: 'b', tools: ['memory', 'todo'] },
      '---\ncouncil:\n  model: a\n  tools: [x]\n---\n',
    );
    expect(below).toBe('---\ncouncil:\n  model: b\n  tools: [memory, todo]\n---\n');
    expect(edit({ tools: ['Read', 'Grep'] }, '---\nname: a\n---\n')).toBe(
      '---\nname: a\ntools: Read, Grep\n---\n',
    );
  });

  it.each([
    ['no settings', 'Just a persona.\n'],
    ['empty settings', '---\n---\nJust a persona.\n'],
    ['an empty mapping', '---\ncouncil:\n---\nJust a persona.\n'],
    ['Windows line ends', '---\r\nname: w\r\n# kept\r\n---\r\nJust a persona.\r\n'],
    ['a description that is no YAML', '---\ndescription: Use when: in doubt\n---\nJust a persona.\n'],
  ])('reads back what it writes into a file with %s', (_, text) => {
    const after = edit({ role: 'leader', concurrency: 3 }, text);
    const agent = parseAgent(after, 'henry.md', 'project');
    expect(agent).toMatchObject({ role: 'leader', concurrency: 3, persona: 'Just a persona.' });
    expect(after.includes('\r\n')).toBe(text.includes('\r\n'));
    if (text.includes('# kept')) expect(after).toContain('# kept');
    if (text.includes('in doubt')) expect(agent.description).toBe('Use when: in doubt');
  });

  it('writes another persona, and only that', () => {
    const text = edit({}, FILE, 'You are somebody else.\n');
    expect(text).toBe(`${FILE.slice(0, FILE.indexOf('\n---\n\nYou') + 5)}\nYou are somebody else.\n`);
    expect(edit({}, 'Just a persona.\n', 'New')).toBe('---\n---\n\nNew\n');
  });
});
