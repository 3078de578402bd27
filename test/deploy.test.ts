// What docs/server/deploy.md says: units, the Compose file, and the commands in them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listOptions } from '../src/core/cli/options.ts';
import { specs } from '../src/program/specs.ts';

const page = readFileSync(join(import.meta.dirname, '../docs/server/deploy.md'), 'utf8');
const fences = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(([, text]) => text!);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

describe('docs/server/deploy.md', () => {
  it.skipIf(!hasSystemd)('has units that systemd takes', () => {
    const units = fences('ini');
    expect(units).toHaveLength(2);
    for (const unit of units) {
      const file = join(mkdtempSync(join(tmpdir(), 'council-unit-')), 'council.service');
      // The user is made by whoever installs it.
      writeFileSync(file, unit.replace('User=council', 'User=root'));
      const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      expect({ status, stdout, own: stderr.split('\n').filter((line) => line.includes(file)) }).toEqual({
        status: 0,
        stdout: '',
        own: [],
      });
    }
  });

  it('has a Compose file whose services and volumes are there', () => {
    const [text = ''] = fences('yaml');
    const file = parse(text, { merge: true }) as {
      services: Record<string, { volumes?: string[]; secrets?: string[]; command?: string[] }>;
      volumes: object;
      secrets: object;
    };
    const { services, volumes, secrets } = file;
    expect(Object.keys(services)).toEqual(['database', 'server', 'heartbeat']);
    const all = Object.values(services);
    const named = all.flatMap((one) => one.volumes ?? []).map((one) => one.split(':')[0]!);
    expect(named.filter((one) => !one.startsWith('.') && !Object.hasOwn(volumes, one))).toEqual([]);
    expect(all.flatMap((one) => one.secrets ?? []).filter((one) => !Object.hasOwn(secrets, one))).toEqual([]);
    // The image begins with `council` itself: what follows here is the name of a command.
    expect(readFileSync(join(import.meta.dirname, '../Dockerfile'), 'utf8')).toMatch(
      /^ENTRYPOINT \["council"\]$/m,
    );
    expect(services.heartbeat).toMatchObject({ command: ['heartbeat'], image: 'council', ports: [] });
  });

  it('names commands and options that there are', () => {
    const asJson = [...page.matchAll(/\["council", ([^\]]*)\]|\['council', ([^\]]*)\]/g)].map(
      ([, double, single]) => `council ${(double ?? single)!.replaceAll(/["',]+ ?/g, ' ')}`,
    );
    const code = [
      ...fences('sh'),
      ...fences('ini'),
      ...[...page.matchAll(/`([^`\n]+)`/g)].map(([, one]) => one),
    ];
    const lines = [...code.join('\n').matchAll(/(?<=^|server |env )council [a-z]+.*/gm)].map(
      ([line]) => line,
    );
    const commands = [...lines, ...asJson];
    expect(commands.length).toBeGreaterThan(12);
    for (const line of commands) {
      const [, name, ...rest] = line.trim().split(/\s+/);
      const spec = specs.find((one) => one.name === name);
      expect(spec, line).toBeDefined();
      const known = [
        '--json',
        '--root',
        ...listOptions(spec!.fields).map(({ flags }) => flags.split(' ')[0]!),
      ];
      expect(
        rest.filter((word) => word.startsWith('--') && !known.includes(word)),
        line,
      ).toEqual([]);
    }
  });
});
