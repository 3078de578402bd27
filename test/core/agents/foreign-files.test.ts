// Agent files as other programs take them: what is no YAML, titles as names, values of another form.
import { describe, expect, it } from 'vitest';
import { parseAgent } from '../../../src/core/agents/agent.ts';
import { editAgent } from '../../../src/core/agents/render-agent.ts';

const parse = (front: string, path = 'agents/gap.md') =>
  parseAgent(`---\n${front}\n---\nYou look.\n`, path, 'project');

const EXAMPLES = `name: gap
description: Use this agent when: a plan is there. Examples:

<example>
model: another
user: "Look"
</example>

model: inherit
tools: ["Read", "Grep"]`;

describe('an agent file of another program', () => {
  it('is read line by line where it is no YAML, and its examples are no keys', () => {
    expect(parse(EXAMPLES)).toMatchObject({
      ...{ id: 'gap', runner: 'human', model: 'inherit', tools: ['Read', 'Grep'], persona: 'You look.' },
      description: expect.stringMatching(/^Use this agent when: a plan[^]*<\/example>$/) as string,
    });
    expect(parse(EXAMPLES.replaceAll('\n', '\r\n'))).toMatchObject({ id: 'gap', tools: ['Read', 'Grep'] });
  });

  it.each([
    ['a star', 'name: gap\ntools: *', { tools: ['*'] }],
    [
      'an unknown key',
      'name: gap\nargument-hint: [file] [line]\ndescription: Looks.',
      { description: 'Looks.' },
    ],
    ['a colon', 'name: gap\ndescription: Looks: at\n  all of it\ntools:\n  - Read', { tools: ['Read'] }],
    ['tabs', 'name:\tgap\ndescription:\tUse it when: x', { id: 'gap', description: 'Use it when: x' }],
    ['a key twice', 'name: gap\nmodel: a\nmodel: b', { model: null }],
    ['the same key twice', 'name: gap\nmodel: a\nmodel: a', { model: 'a' }],
    ['settings of council', 'name: gap\nx: [a] [b]\ncouncil:\n  command: [cat]', { command: ['cat'] }],
  ])('loads with %s', (_, front, expected) => {
    expect(parse(front)).toMatchObject(expected);
  });

  it.each([
    ['settings that are no YAML', 'name: gap\ncouncil:\n  command: [cat'],
    ['settings twice', 'name: gap\ncouncil:\n  command: [cat]\ncouncil:\n  command: [rm]'],
    ['settings below another key', 'name: gap\nx: [a] [b]\n council:\n  command: [cat]'],
    [
      'settings in an example that never ends',
      'name: gap\nx: [a] [b]\n<example>\ncouncil:\n  command: [cat]',
    ],
    ['nobody', 'a: ['],
  ])('stays out with %s, and is no person', (_, front) => {
    expect(() => parse(front)).toThrow(expect.objectContaining({ code: 'invalid_agent' }));
  });

  it.each([
    ['+++\nname = "gap"\n+++\nYou look.\n', 'front matter in TOML is not read'],
    ['{\n  "name": "gap"\n}\nYou look.\n', 'front matter in JSON is not read'],
    [
      '<!-- mine -->\n---\nname: gap\ncouncil:\n  command: [cat]\n---\nx',
      '"council:" stands below other text',
    ],
  ])('stays out with other front matter: %j', (text, message) => {
    expect(() => parseAgent(text, 'agents/gap.md', 'project')).toThrow(message);
  });

  it('may begin with blank lines', () => {
    const text = '\uFEFF\n \n---\nname: gap\ncouncil:\n  command: [cat]\n---\nYou look.\n';
    expect(parseAgent(text, 'agents/x.md', 'project')).toMatchObject({ id: 'gap', runner: 'command' });
  });

  it('is called by a slug of its title or of its file', () => {
    const name = "name: 'Plan Critic'";
    expect(parse(name, 'agents/Plan Critic.agent.md')).toMatchObject({
      id: 'plan-critic',
      title: 'Plan Critic',
    });
    expect(parse(name, 'agents/critic.md')).toMatchObject({ id: 'critic', title: 'Plan Critic' });
    expect(parse('name: 审查', 'agents/Henry 4.8.md')).toMatchObject({ id: 'henry-4-8', title: '审查' });
    expect(parse('name: [a]', 'agents/henry.agent.md').id).toBe('henry');
  });

  it('keeps what is certain of a value of another form, and tells', () => {
    expect(parse("model: ['A One', 'B Two']")).toMatchObject({
      model: 'A One',
      notes: ['"model" is the list ["A One","B Two"]: A One counts.'],
    });
    expect(parse('model: 4\ntools: [Read, 5]\ndescription: { a: b }')).toMatchObject({
      ...{ model: null, tools: ['Read'], description: '' },
      notes: expect.arrayContaining([
        expect.stringContaining('"model" is the number 4: nothing of it counts.'),
      ]) as string[],
    });
    expect(parse('tools: { Read: true, Bash: ask, Edit: false }').tools).toEqual(['Read']);
  });

  it('takes an empty text for an absent one', () => {
    const agent = parse('model: opus\ncouncil:\n  seat: ""\n  model: ""');
    expect(() => parse('council:\n  runner: ""')).toThrow('must be one of');
    expect(agent).toMatchObject({ model: 'opus', runner: 'human' });
    expect(agent).not.toHaveProperty('seat');
  });

  it('makes no person of a program that stands outside "council:"', () => {
    expect(() => parse('runner: claude\ncommand: [cat]')).toThrow('"runner" must be a key below "council:"');
    expect(() => parse('command: [cat]\ncouncil:\n  title: Gap')).toThrow('"command" must be a key below');
    expect(parse('runner: x\ncouncil:\n  runner: claude')).toMatchObject({ runner: 'claude' });
  });

  it('can be changed, and is YAML then', () => {
    const text = `---\n${EXAMPLES}\n---\nYou look.\n`;
    const edited = editAgent(text, 'agents/gap.md', { settings: { model: 'opus' } });
    const agent = parseAgent(edited, 'agents/gap.md', 'project');
    expect(agent).toMatchObject({ model: 'opus', description: parse(EXAMPLES).description });
    expect(agent.notes).toBeUndefined();
  });
});
