import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', 'src');

/** The rooms, and which others each may import. The program (`program/`, `index.ts`, `features.ts`) puts them together. */
const ROOMS: Record<string, string[]> = {
  core: [],
  team: ['core'],
  // It lends tasks to workers elsewhere.
  server: ['core', 'team'],
  postgres: ['core'],
  panel: ['core/base'],
  review: ['core'],
  eval: ['core'],
};

/** The floors inside the core, lower ones first; a folder may import itself and everything before it. */
const FLOORS = [
  'base',
  'store',
  'store/local',
  'store/file',
  'store/memory',
  'agents',
  'council/state',
  'council/naming',
  'council/ledger/text',
  'council/ledger',
  'council/vote',
  'council/document',
  'council/machine',
  'council/view',
  'council/use',
  'notify',
  'archive',
  'heartbeat/launch',
  'heartbeat',
  'app',
  'cli',
].map((name) => `core/${name}`);

/** What a pure part of another room may import: floors of the core, and parts of its own room. */
const PURE: Record<string, RegExp> = {
  'team/messages': /^(core\/(base|store|store\/local|agents)|team\/messages)$/,
  'team/tasks': /^(core\/(base|store|agents|council\/(state|ledger|ledger\/text))|team\/(messages|tasks))$/,
  'review/output': /^(core\/(base|archive|council\/document)|review(\/output)?)$/,
  'server/page': /^(core\/(base|council\/.*|archive)|server\/page)$/,
};

/** Faces call use cases: they import none of what does the work. */
const FACES = /^(core\/cli|\w+\/commands|server\/(http|mcp))$/;
const SHOWN =
  /^(core\/(app|base|cli)|review|eval|team|team\/(?!messages$|tasks$).*|server|server\/.*|postgres(\/copy)?)$/;

/** The drivers of the ports in `store/`. Who else than these files names one, uses what every driver can do. */
const DRIVERS = ['core/store/file', 'core/store/memory'];
const COMPOSITION: Record<string, RegExp> = {
  'index.ts': /./,
  'core/app/storage/project-storage.ts': /./,
  'core/app/storage/memory-ports.ts': /./,
  // What a project in a database has on this machine as well.
  'postgres/database.ts': /archive-facts|private-dir/,
  'core/app/project-folder.ts': /find-folder-trouble/,
  'core/app/tick.ts': /owner-folder/,
  'core/app/progress.ts': /private-dir/,
  // Agents' keys, the log of messages and the audit trail are of this machine.
  'team/messages/use/agent-key-files.ts': /owner-folder/,
  'team/log/day-log.ts': /watch/,
  // So are the tokens of its server, for now.
  'server/access/token.ts': /owner-folder/,
  'server/access/local-servers.ts': /owner-folder|private-dir/,
  'team/ports.ts': /./,
  'team/worker/tool-loop.ts': /private-dir/,
  'team/worker/memories.ts': /agent-memory/,
  'core/app/search.ts': /search-index/,
  // Trust and turns are recorded on this machine, whatever keeps the documents; so are the folders beside it.
  'core/app/trust.ts': /trust-book/,
  'core/app/permissions.ts': /turn-register/,
  'core/app/schedule/system-calls.ts': /trust-book/,
  'core/app/schedule/schedule-variables.ts': /trust-book/,
  'core/app/hidden-folders.ts': /private-dir/,
  // What no server took is kept on this machine.
  'server/remote/client.ts': /private-dir/,
  'server/remote-worker/server-contact.ts': /private-dir/,
  // The doctor looks at the files themselves.
  'core/app/doctor/storage.ts': /inspect-/,
  'core/app/doctor/doctor.ts': /inspect-/,
};

/** The folders that may touch the machine; everywhere else time, files and processes come in through ports. */
const EDGES = [
  /^core\/store\/(local|file|memory)\//,
  // It waits between two attempts.
  /^core\/store\/update\.ts$/,
  /^core\/(agents\/runners|notify|heartbeat|app|cli)\//,
  /^(panel|postgres|program)\//,
  /^review\/(git-change|repository|read-subject|review-change|publish-review|commands\/.*)\.ts$/,
  /^eval\/(questions|record|run-eval|open-table|commands\/.*)\.ts$/,
  /^server\/(?!page\/(?!use\/))/,
  /^team\/(?!(messages|tasks)\/(?!use\/))/,
];
const IO = new Set([
  'fs',
  'fs/promises',
  'child_process',
  'os',
  'net',
  'http',
  'https',
  'dns',
  'readline',
  'worker_threads',
  'process',
  'sqlite',
  'timers',
  'timers/promises',
  'stream',
  'tty',
]);

interface Import {
  from: string;
  to: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((f) => f.endsWith('.ts') && !f.endsWith('.d.ts'))
  .map((f) => f.replaceAll('\\', '/'));

function specifiers(file: string): string[] {
  const source = readFileSync(join(SRC, file), 'utf8');
  const found = source.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s+['"]([^'"]+)['"]/g,
  );
  return [...found].map((m) => m[1] ?? m[2] ?? m[3]!);
}

function localImports(file: string): Import[] {
  return specifiers(file)
    .filter((s) => s.startsWith('.') && s.endsWith('.ts'))
    .map((s) => ({
      from: file,
      to: relative(SRC, normalize(join(SRC, dirname(file), s))).replaceAll('\\', '/'),
    }));
}

const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'program');

/** The part of a room in which a file lies: a floor of the core, or a folder of another room. */
function partOf(file: string): string {
  const folder = dirname(file);
  if (roomOf(file) === 'core')
    return FLOORS.filter((floor) => `${folder}/`.startsWith(`${floor}/`)).reduce(
      (longest, floor) => (floor.length > longest.length ? floor : longest),
      '',
    );
  const [room, part, use] = folder.split('/');
  return [room, part, use === 'use' && use].filter(Boolean).join('/');
}

/** Why an import may not be, or undefined. */
export function fault({ from, to }: Import): string | undefined {
  const [high, low] = [partOf(from), partOf(to)];
  const [importer, imported] = [roomOf(from), roomOf(to)];
  if (high === low) return undefined;
  if (DRIVERS.includes(low))
    return COMPOSITION[from]?.test(to) ? undefined : 'only what composes a council names a driver';
  if (importer === 'program') return undefined;
  if (importer !== imported && !ROOMS[importer]?.some((name) => `${to}/`.startsWith(`${name}/`)))
    return `${importer} does not import ${imported}`;
  if (FACES.test(high) && !SHOWN.test(low)) return 'a face calls a use case, which picks what does the work';
  const pure = PURE[high];
  if (pure) return pure.test(low) ? undefined : `${high} is pure`;
  if (importer !== 'core') return undefined;
  return FLOORS.indexOf(low) < FLOORS.indexOf(high) && FLOORS.includes(low)
    ? undefined
    : 'imports run downwards only';
}

describe('the floors', () => {
  const imports = files.flatMap(localImports);

  it('sees the source', () => {
    expect(files.length).toBeGreaterThan(40);
    expect(imports.length).toBeGreaterThan(100);
  });

  it('knows the rooms that exist, and no others', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual([...Object.keys(ROOMS), 'program'].sort());
    const parts = new Set(files.filter((file) => roomOf(file) === 'core').map(partOf));
    expect([...parts].sort()).toEqual([...FLOORS].sort());
  });

  it('begins every file with what it is for', () => {
    const silent = files.filter(
      (file) => !/^(?:#!.*\n)?(?:\/\/|\/\*)/.test(readFileSync(join(SRC, file), 'utf8')),
    );
    expect(silent).toEqual([]);
  });

  it('lets imports run downwards only', () => {
    const faults = imports.flatMap((i) => (fault(i) ? [`${i.from} -> ${i.to}: ${fault(i)}`] : []));
    expect(faults).toEqual([]);
  });

  it('would notice an import that crosses a border', () => {
    expect(fault({ from: 'core/app/tick.ts', to: 'team/tasks/use/play.ts' })).toBeDefined();
    expect(fault({ from: 'core/app/storage/project-storage.ts', to: 'postgres/database.ts' })).toBeDefined();
    expect(fault({ from: 'core/cli/io.ts', to: 'server/http/server.ts' })).toBeDefined();
    expect(fault({ from: 'core/app/app.ts', to: 'features.ts' })).toBeDefined();
    expect(fault({ from: 'team/tasks/use/play.ts', to: 'core/app/app.ts' })).toBeUndefined();
    expect(fault({ from: 'team/tasks/use/play.ts', to: 'server/remote/client.ts' })).toBeDefined();
    expect(fault({ from: 'server/remote-worker/lease.ts', to: 'team/tasks/use/open.ts' })).toBeUndefined();
    expect(fault({ from: 'postgres/database.ts', to: 'team/tasks/use/ports.ts' })).toBeDefined();
    expect(fault({ from: 'panel/main.ts', to: 'core/council/state/state.ts' })).toBeDefined();
    expect(fault({ from: 'program/main.ts', to: 'server/http/server.ts' })).toBeUndefined();
  });

  it('would notice an import that runs upwards', () => {
    const inCore = (from: string, to: string): string | undefined =>
      fault({ from: `core/${from}`, to: `core/${to}` });
    expect(inCore('store/file/file-store.ts', 'council/document/document.ts')).toBeDefined();
    expect(inCore('council/machine/transition.ts', 'archive/write.ts')).toBeDefined();
    expect(inCore('council/state/state.ts', 'council/vote/decision.ts')).toBeDefined();
    expect(inCore('council/ledger/text/units.ts', 'council/ledger/claims.ts')).toBeDefined();
    expect(inCore('council/use/respond.ts', 'council/view/view.ts')).toBeUndefined();
    expect(inCore('heartbeat/tick.ts', 'app/workspace.ts')).toBeDefined();
    expect(inCore('app/workspace.ts', 'store/documents.ts')).toBeUndefined();
    expect(inCore('cli/io.ts', 'store/local/system.ts')).toBeDefined();
    expect(inCore('cli/summary.ts', 'council/state/state.ts')).toBeDefined();
    expect(inCore('cli/summary.ts', 'app/state-document.ts')).toBeUndefined();
    expect(fault({ from: 'server/http/pages/layout.ts', to: 'server/page/html.ts' })).toBeUndefined();
    expect(fault({ from: 'server/http/pages/layout.ts', to: 'core/archive/archive.ts' })).toBeDefined();
    expect(fault({ from: 'server/mcp/server.ts', to: 'core/council/use/respond.ts' })).toBeDefined();
    expect(fault({ from: 'team/commands/agents.ts', to: 'core/agents/agent.ts' })).toBeDefined();
    expect(fault({ from: 'team/messages/channel.ts', to: 'core/app/app.ts' })).toBeDefined();
  });

  it('would notice a driver that is named where every driver should do', () => {
    const file = 'core/store/file/file-store.ts';
    expect(fault({ from: 'core/app/storage/project-storage.ts', to: file })).toBeUndefined();
    expect(fault({ from: 'core/app/run.ts', to: file })).toBeDefined();
    expect(fault({ from: 'core/app/trust.ts', to: file })).toBeDefined();
    expect(fault({ from: 'core/store/documents.ts', to: 'core/store/file/layout.ts' })).toBeDefined();
    expect(fault({ from: 'core/store/memory/archives.ts', to: file })).toBeDefined();
  });

  it('has no cycle', () => {
    // An App carries the features, whose functions take an App: the one circle, of types.
    const isOfTypes = ({ from, to }: Import): boolean =>
      from === 'core/app/app.ts' && to === 'core/app/feature.ts';
    const next = (f: string): string[] => localImports(f).flatMap((i) => (isOfTypes(i) ? [] : i.to));
    const graph = new Map(files.map((f) => [f, next(f)]));
    const state = new Map<string, 'open' | 'done'>();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === 'done') return;
      if (state.get(file) === 'open') {
        cycles.push([...path.slice(path.indexOf(file)), file].join(' -> '));
        return;
      }
      state.set(file, 'open');
      for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
      state.set(file, 'done');
    };
    for (const file of files) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it('keeps the machine at the edges', () => {
    const faults = files.flatMap((file) => {
      if (EDGES.some((edge) => edge.test(file))) return [];
      return specifiers(file)
        .filter((s) => s.startsWith('node:') && IO.has(s.slice(5)))
        .map((s) => `${file} imports ${s}`);
    });
    expect(faults).toEqual([]);
  });

  it('fault 3: opens files for reading in one place', () => {
    // What is read here is the system's own, which is bounded and never waits, or council's own; mcp reads the pipe it was started with.
    const others = {
      'core/agents/runners/process-group.ts': /\/proc\//,
      'core/app/input/check-text.ts': /\/proc\/self\//,
      'program/load-program.ts': /readFileSync\((path|file)\)/,
      'core/store/file/inspect-folders.ts': /\/proc\/self\//,
      'core/store/local/liveness.ts': /fs\.readFileSync\(path\)/,
    };
    const faults = files.flatMap((file) =>
      readFileSync(join(SRC, file), 'utf8')
        .split('\n')
        .filter((line) =>
          /\b(readFileSync|createReadStream|openAsBlob|promises\.readFile)\(|await readFile\((?!text)/.test(
            line,
          ),
        )
        .filter((line) => !(others as Record<string, RegExp>)[file]?.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
    expect(faults).toEqual([]);
  });

  it('fault 14: deletes nothing recursively', () => {
    const faults = files.filter(
      (file) =>
        // Folders that this process has just made in the system's temp folder.
        !['core/agents/runners/runner.ts', 'core/cli/read-text.ts'].includes(file) &&
        /\brm(Sync)?\([^;]*recursive: true/.test(readFileSync(join(SRC, file), 'utf8')),
    );
    expect(faults).toEqual([]);
  });

  it('holds no file that is too long to read', () => {
    const lengths = files.map((file) => ({
      file,
      lines: readFileSync(join(SRC, file), 'utf8').split('\n').length,
    }));
    // 250 lines are a guide; up to 400 where cutting the file would tear apart what is read together, and for lists of words.
    expect(lengths.filter(({ lines }) => lines > 401)).toEqual([]);
  });
});
