import { describe, expect, it } from 'vitest';
import { codecs } from '../../../src/team/messages/codecs/codecs.ts';
import type { Registry } from '../../../src/team/tasks/registry-members.ts';
import { expireMembers, hearWorker } from '../../../src/team/tasks/worker-registry.ts';
import type { RegistryUpdate, Speaker } from '../../../src/team/tasks/worker-registry.ts';

const NO_MEMBERS: Registry = { members: [], messages: 0 };
const NOBODY: Speaker = { agent: null, lifecycle: null, ttl: null };
const MINUTE = 60_000;

const lines = ({ answers }: RegistryUpdate): string[] =>
  answers.map(({ message, version }) => {
    const line = codecs[version].encode(message, { asRead: true });
    return line.ok ? line.value : JSON.stringify(line.error);
  });

/** An orchestrator that hears lines of V5. */
function orchestrator(registry: Registry = NO_MEMBERS) {
  let now = 0;
  let known = registry;
  const keep = (heard: RegistryUpdate): string[] => {
    known = heard.registry;
    return lines(heard);
  };
  return {
    says(line: string, speaker: Partial<Speaker> = {}): string[] {
      const read = codecs.v5.decode(line);
      if (!read.ok) throw new Error(JSON.stringify(read.error));
      return keep(hearWorker(known, read.value, { ...NOBODY, ...speaker }, now));
    },
    after(ms: number): string[] {
      now += ms;
      return keep(expireMembers(known, now));
    },
    members: () => known.members,
  };
}

const join = (worker: string, data = 'caps=plan', n = 1): string =>
  `M${n}|${worker}>O1|J|T0|-|-|-|0|S0|-|${data}`;

describe('workers that join', () => {
  it('exchange exactly the lines of the protocol’s example', () => {
    const { says, members } = orchestrator({
      members: ['W1', 'W2'].map((id) => ({ ...memberOf(id) })),
      messages: 0,
    });
    expect(
      says(
        'M1|W3>O1|J|T0|P1|N|-|0|S0|-|caps=web_search,web_fetch,summarize;desc=Web research agent;max_depth=2;version=V5',
      ),
    ).toEqual(['M2|O1>W3|A|T0|P1|D|-|0|S0|-|registered;id=W3;status=active']);
    expect(says('M3|O1>O1|Q|T0|P1|-|-|0|S0|-|filter=W*;status=active')).toEqual([
      'M4|O1>O1|S|T0|P1|D|-|0|S0|-|agents=W1,W2,W3;count=3',
    ]);
    expect(members()[2]).toMatchObject({
      id: 'W3',
      capabilities: ['web_search', 'web_fetch', 'summarize'],
      description: 'Web research agent',
      maxDepth: 2,
    });
  });

  it('get their id confirmed as in the section on discovery', () => {
    const { says } = orchestrator();
    expect(
      says('M1|W3>O1|J|T0|-|-|-|0|S0|-|caps=web_search,summarize;desc=Research agent;max_depth=2'),
    ).toEqual(['M2|O1>W3|A|T0|-|-|-|0|S0|-|registered;id=W3']);
  });

  it('are told of a collision, and which id they have instead', () => {
    const { says, members } = orchestrator();
    says(join('W1'));
    says(join('W2'));
    expect(says(join('W1', 'caps=reason', 7))).toEqual([
      'M8|O1>W1|E|T0|-|-|E41|0|S0|-|desc=W1 is taken;id=W3',
      'M9|O1>W3|A|T0|-|-|-|0|S0|-|registered;id=W3',
    ]);
    expect(members().map(({ id, capabilities }) => `${id} ${capabilities.join()}`)).toEqual([
      'W1 plan',
      'W2 plan',
      'W3 reason',
    ]);
  });

  it('may join again under the id that is theirs', () => {
    const { says, members } = orchestrator();
    says(join('W1'), { agent: 'scout' });
    expect(says(join('W1', 'caps=plan,reason'), { agent: 'scout' }).at(-1)).toContain('registered;id=W1');
    expect(says(join('W1'), { agent: 'other' })[0]).toContain('E41');
    expect(members()[0]).toMatchObject({ agent: 'scout', joins: 2, capabilities: ['plan', 'reason'] });
  });

  it('say how deep they may be handed on, from 0 to 5', () => {
    const { says, members } = orchestrator();
    for (const depth of ['6', 'deep', '-1', '', '2%'])
      expect(says(join('W1', `caps=plan;max_depth=${depth}`))[0]).toContain('|E10|');
    expect(says(join('W1', 'caps=plan;max_depth=9;version=V4'))[0]).toContain('|E04|');
    expect(members()).toEqual([]);
    says(join('W1', 'caps=plan;max_depth=0'));
    expect(members()).toMatchObject([{ maxDepth: 0 }]);
  });

  it('speak V4 where they say so, and are not heard in a version that nobody knows', () => {
    const { says } = orchestrator();
    expect(says(join('W1', 'caps=plan;version=V4'))).toEqual([
      'M2|O1>W1|A|T0|-|-|-|registered;id=W1;version=V4',
    ]);
    expect(says(join('W1', 'version=V4'))[0]).toBe('M3|O1>W1|E|T0|-|-|E11|desc=W1 is taken;id=W2');
    expect(says(join('W3', 'version=V9;fallback=V4'))[0]).toContain(
      'registered;id=W3;version=V4;mode=compat',
    );
    expect(says(join('W4', 'version=V9'))).toEqual([expect.stringContaining('|E90|')]);
    expect(says('M9|W1>O1|K|T0|-|-|-|0|S0|-|caps=reason')).toEqual([
      expect.stringMatching(/^M10\|O1>W1\|A\|T0\|-\|-\|-\|updated/),
    ]);
  });

  it('change what they can do, tell their load, and leave', () => {
    const { says, members, after } = orchestrator();
    says(join('W1'), { agent: 'a', lifecycle: 'permanent' });
    says(join('W2'));
    expect(says('M5|W1>O1|K|T0|-|-|-|0|S0|-|caps=code_read,code_write')[0]).toContain('updated;id=W1');
    expect(says('M6|W1>O1|H|-|-|-|-|0|S0|-|load=40%;queue=2')).toEqual([]);
    after(29_000);
    says('M7|W1>O1|H|-|-|-|-|0|S0|-|load=90%;queue=9');
    expect(members()[0]).toMatchObject({
      capabilities: ['code_read', 'code_write'],
      load: 40,
      queue: 2,
      heartbeats: 1,
    });
    expect(says('M8|O1>O1|Q|T0|-|-|-|0|S0|-|filter=W*;caps=code_read')[0]).toContain('agents=W1;count=1');
    says('M9|W2>O1|L|T0|-|-|-|0|S0|-|reason=done');
    expect(says('M10|W1>O1|L|T0|-|-|-|0|S0|-|reason=done')[0]).toContain('unregistered;id=W1');
    expect(members()).toMatchObject([{ id: 'W1', status: 'gone', heartbeats: 1 }]);
    expect(says('M12|O1>O1|Q|T0|-|-|-|0|S0|-|filter=W*;status=active')[0]).toContain('|count=0');
    expect(says('M14|W2>O1|H|-|-|-|-|0|S0|-|load=1%')[0]).toContain('|E41|');
  });

  it('are gone after three heartbeats that are missing, or when their time is over', () => {
    const { says, after, members } = orchestrator();
    says(join('W1'), { agent: 'a', lifecycle: 'permanent' });
    says(join('W2'));
    says(join('W3', 'caps=plan;lifecycle=temporary;ttl=60'));
    expect(after(MINUTE)).toEqual([]);
    expect(members().map(({ id }) => id)).toEqual(['W1', 'W2']);
    says('M5|W1>O1|H|-|-|-|-|0|S0|-|load=0%');
    expect(after(30_000)).toEqual([]);
    expect(after(1000)).toEqual(['M6|O1>W2|E|T0|-|-|E22|-|S0|-|desc=no heartbeat;missed=3']);
    expect(after(MINUTE)).toEqual(['M7|O1>W1|E|T0|-|-|E22|-|S0|-|desc=no heartbeat;missed=3']);
    expect(after(MINUTE)).toEqual([]);
    expect(members()).toMatchObject([{ id: 'W1', status: 'gone', joins: 1 }]);
    expect(says(join('W1'), { agent: 'a', lifecycle: 'permanent' })[0]).toContain('registered;id=W1');
    expect(members()).toMatchObject([{ status: 'active', joins: 2 }]);
  });

  it('are at most 99, and a list of them fits into a line', () => {
    const { says } = orchestrator();
    for (let n = 1; n <= 99; n++) says(join(`W${n}`, 'caps=plan', n));
    expect(says(join('W5'))[0]).toContain('|E32|');
    const [list = ''] = says('M200|O1>O1|Q|T0|-|-|-|0|S0|-|filter=W*');
    expect(list).toMatch(/agents=W1,W2[^;]*;count=99;more=\d+$/);
    expect(list.length).toBeLessThan(260);
    const pages: string[] = [];
    do
      pages.push(
        says(`M${201 + pages.length}|O1>O1|Q|T0|-|-|-|0|S0|-|filter=W*;page=${pages.length + 1}`)[0]!,
      );
    while (pages.at(-1)!.includes('more='));
    const ids = pages.flatMap((page) => /agents=([^;]*)/.exec(page)![1]!.split(','));
    expect(ids).toEqual(Array.from({ length: 99 }, (_, n) => `W${n + 1}`));
    expect(says('M300|O1>O1|Q|T0|-|-|-|0|S0|-|filter=W*;page=9')[0]).toMatch(/\|count=99$/);
  });
});

const memberOf = (id: string) =>
  hearWorker(NO_MEMBERS, { id: 'M1', kind: 'join', from: id, to: 'O1', data: {} }, NOBODY, 0).registry
    .members[0]!;
