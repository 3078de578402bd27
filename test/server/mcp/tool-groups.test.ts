import { expect, it } from 'vitest';
import {
  COUNCIL_TOOLS,
  listGroupTools,
  TOOL_GROUPS,
} from '../../../src/server/mcp/council-tool-definitions.ts';
import { TOOLS } from '../../../src/server/remote/calls.ts';

it('every tool is in one group, and all of them are in all', () => {
  const grouped = Object.values(TOOL_GROUPS).flat();
  expect(grouped.toSorted()).toEqual([...TOOLS, ...COUNCIL_TOOLS].toSorted());
  expect([...listGroupTools(['all'])].toSorted()).toEqual([...TOOLS, ...COUNCIL_TOOLS].toSorted());
  expect([...listGroupTools()]).toEqual(['ask', 'verdict', 'view', 'respond', 'archives']);
});

it('groups add up, and one that there is not is refused with those that there are', () => {
  expect([...listGroupTools(['records', 'tasks'])]).toEqual([
    'list',
    'search',
    'show',
    'outcome',
    'task',
    'approvals',
  ]);
  expect(() => listGroupTools(['records', 'mail'])).toThrow('no group of tools "mail"');
});
