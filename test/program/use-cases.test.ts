import { describe, expect, it } from 'vitest';
import { buildJsonSchema } from '../../src/server/json-schema.ts';
import { useCases } from '../../src/program/use-cases.ts';
import { ELSEWHERE } from '../../src/core/cli/spec.ts';
import { findHelpGroup } from '../../src/core/cli/help.ts';
import { listOptions } from '../../src/core/cli/options.ts';
import { specs } from '../../src/program/specs.ts';
import { getCallDefinition, CALLS, buildCallInput, TOOLS } from '../../src/server/remote/calls.ts';

/** Commands that end with no document: they go on until they are stopped, or belong to the command line itself. */
const COMMANDS_ONLY = ['watch', 'heartbeat', 'watch-channel', 'mcp', 'serve', 'completion'];

/** Calls of the HTTP API alone: what `heartbeat --server` says to a server. */
const API_ONLY = ['lease', 'renew', 'record', 'fail'];

/** Why a use case is no tool. */
const NO_TOOLS = {
  demo: 'there is nothing to see without a terminal',
  run: 'start and tick do it, without keeping a client waiting until people have answered',
  ask: 'start with reach does it, without keeping a client waiting',
  review: 'reads the git repository of whoever calls it, and keeps a client waiting',
  eval: 'asks for hours, and keeps a client waiting',
  rerun: 'start does it with another table',
  wait: 'a client would be kept waiting',
  extend: 'the decision of whoever runs the council',
  excuse: 'the decision of whoever runs the council',
  retry: 'the decision of whoever runs the council',
  cancel: 'the decision of whoever runs the council',
  reveal: 'the decision of whoever runs the council, with a file from another machine',
  restore: 'the decision of whoever runs the council',
  adopt: 'the decision of whoever runs the council',
  export: 'a resource: archive://ID',
  archives: 'writes into a checkout: for whoever has it',
  cost: 'what it costs is the business of whoever pays',
  logs: 'what agents printed is for the user who launched them, and breaks a blind phase open',
  ledger: 'show has it',
  metrics: 'show has it',
  channel: 'inbox tells what concerns a client',
  log: 'sent tells what became of the messages of a client',
  who: 'sent tells whom a message has reached',
  init: 'changes a project; start prepares what a council needs',
  doctor: 'looks at the machine of whoever runs the server',
  agents: 'says what runs on a machine: for its owner',
  trust: 'says what runs on a machine: for its owner',
  token: 'who may come in is decided on the machine itself, by a person',
  open: 'for a person at a screen',
  invite: 'who may come in is decided on the machine itself, by a person',
  audit: 'a record of what clients do, for whoever checks it',
  modes: 'start tells those that there are when one is unknown',
  install: 'changes the machine of whoever runs the server',
  uninstall: 'changes the machine of whoever runs the server',
  store: 'with the rights of whoever owns the database',
  protocol: 'reads streams of lines: for whoever has them, and a command line',
  skill: 'changes a project: for its owner',
};

/** Why a call is no command that a server runs instead of this machine (`--server`). */
const HERE_ONLY = {
  tick: 'heartbeat --server launches the agents of this machine, which is what a tick is for',
  history: 'shows the revisions of the state file, which lies in the folder',
  reserve: 'the files lie in this folder',
  release: 'the files lie in this folder',
  reservations: 'the files lie in this folder',
};

describe('a use case', () => {
  const names = Object.keys(useCases);

  it('is a command with the same fields, and every command is one', () => {
    const commands = specs.map(({ name }) => name);
    expect(commands.filter((name) => !names.includes(name))).toEqual(COMMANDS_ONLY);
    for (const [name, { fields }] of Object.entries(useCases))
      if (!API_ONLY.includes(name)) expect(specs.find((spec) => spec.name === name)?.fields).toBe(fields);
  });

  it('stands under a title of the help', () => {
    const titles = specs.map(({ name }) => `${name}: ${findHelpGroup(name)}`);
    expect(titles.filter((title) => title.endsWith('Others:'))).toEqual([]);
  });

  it('is a tool, or there is a reason why not', () => {
    expect([...TOOLS, ...API_ONLY, ...Object.keys(NO_TOOLS)].sort()).toEqual(names.toSorted());
  });

  it('is run by a server with --server, or there is a reason why not', () => {
    const commands = CALLS.filter((name) => !API_ONLY.includes(name) && !ELSEWHERE.includes(name));
    expect(commands.sort()).toEqual(Object.keys(HERE_ONLY).sort());
  });

  it('takes from a tool what that offers, and nothing else', () => {
    for (const name of CALLS) {
      const { fields } = useCases[name];
      const { fields: offered = [], more = [], who, turn } = getCallDefinition(name);
      const named = [...offered, ...more, ...(who === undefined ? [] : [who]), ...(turn ? ['name'] : [])];
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(named));
    }
    const given = { topic: 'X', trust: true, budgetUsd: 1 };
    expect(buildCallInput('start', given, { role: 'admin' })).toMatchObject({ topic: 'X' });
    expect(buildCallInput('start', given, { role: 'admin' })).not.toHaveProperty('trust');
  });

  it('has fields that every face can show', () => {
    for (const [name, { fields }] of Object.entries(useCases)) {
      const { properties } = buildJsonSchema(fields) as {
        properties: Record<string, { description: string }>;
      };
      for (const [field, { description }] of Object.entries(properties))
        expect({ name, field, description }).toEqual({
          name,
          field,
          description: expect.stringMatching(/\S/) as string,
        });
      const flags = listOptions(fields).map((option) => option.flags.split(' ')[0]);
      expect(new Set(flags).size).toBe(flags.length);
    }
  });
});
