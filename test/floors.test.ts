import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', 'src');

/** Lower floors first; a folder may import itself and everything before it. Rooms of the store and the heart are floors as well. */
const FLOORS = [
  'base',
  'store',
  'store/local',
  'store/file',
  'store/memory',
  'store/postgres/migrations',
  'store/postgres',
  'agents',
  'messages',
  'council/state',
  'council/naming',
  'council/ledger/text',
  'council/ledger',
  'council/vote',
  'council/document',
  'council/machine',
  'council/view',
  'council/use',
  'tasks',
  'notify',
  'archive',
  'page',
  'heartbeat/launch',
  'heartbeat',
  'app',
];
const FACES = ['cli', 'serve', 'mcp'];
/** The server speaks MCP and renders pages as well, and two commands start it. */
const KNOWS: Record<string, string[]> = {
  'cli/commands/mcp.ts': ['mcp', 'serve'],
  'cli/commands/serve.ts': ['serve'],
};
/** What a face may import: the use cases with their inputs and results, and what everybody may use. */
const SHOWN = /^(app\/|base\/|features\.ts)/;

/** The drivers of the ports in `store/`. Who else than these files names one, uses what every driver can do. */
const DRIVERS = ['store/file', 'store/memory', 'store/postgres'];
const COMPOSITION: Record<string, RegExp> = {
  'index.ts': /./,
  'app/keeping/files.ts': /./,
  'app/keeping/database.ts': /./,
  'app/keeping/named.ts': /postgres.place/,
  // Whatever keeps the documents, settings and agents lie in the folder.
  'app/keeping/keeping.ts': /judge-folder/,
  'app/store-trouble.ts': /judge-folder/,
  'app/told-lines.ts': /owner-folder/,
  'app/missing-text.ts': /private-dir/,
  // Agents' keys, the log of messages and the audit trail are of this machine.
  'app/messages/ports.ts': /agent-keys/,
  'app/messages/announcer.ts': /day-log/,
  // So are the tokens of its server, for now.
  'app/access/ports.ts': /access-tokens|serving-record|handed-over/,
  'app/audit/ports.ts': /./,
  'app/worker/tool-loop.ts': /private-dir/,
  'app/worker/memories.ts': /agent-memory/,
  'app/reports/ports.ts': /report-files/,
  'app/search.ts': /search-index/,
  // Trust and turns are recorded on this machine, whatever keeps the documents; so are the folders beside it.
  'app/trust.ts': /trust-book/,
  'app/turn.ts': /turn-register/,
  'app/schedule/scheduled.ts': /trust-book/,
  'app/schedule/schedule-variables.ts': /trust-book/,
  'app/remote/hidden-folders.ts': /private-dir/,
  'app/store.ts': /postgres\/(open|migrate|place)/,
  'app/doctor/database.ts': /postgres\/(open|blindness|inspect-server)/,
  // What no server took is kept on this machine.
  'app/remote/kept-here.ts': /private-dir/,
  'app/leased/deliver.ts': /private-dir/,
  // The doctor looks at the files themselves.
  'app/doctor/storage.ts': /inspect-/,
  'app/doctor/doctor.ts': /inspect-/,
};

/** The folders that may touch the machine; everywhere else time, files and processes come in through ports. */
const EDGES = [
  /^store\/(local|file|memory|postgres)\//,
  // It waits between two attempts.
  /^store\/update\.ts$/,
  /^agents\/runners\//,
  /^notify\//,
  /^heartbeat\//,
  /^panel\//,
  /^(app|cli|mcp|serve)\//,
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

const floorOf = (file: string): string =>
  /^(council|store|heartbeat)\//.test(file) ? dirname(file) : file.split('/')[0]!;

/** Why an import may not be, or undefined. */
export function fault({ from, to }: Import): string | undefined {
  const [low, high] = [floorOf(to), floorOf(from)];
  if (low === high) return undefined;
  if (DRIVERS.includes(low))
    return COMPOSITION[from]?.test(to) ? undefined : 'only what composes a council names a driver';
  if (from === 'index.ts' || from === 'features.ts') return undefined;
  if (high === 'panel') return low === 'base' ? undefined : 'the panel imports base only';
  if (low === 'panel') return 'nobody imports the panel: its programs are run';
  // The command that starts another face is the one place that knows it.
  if (KNOWS[from]?.includes(low)) return undefined;
  if (FACES.includes(high)) {
    if (high === 'serve' && (low === 'mcp' || low === 'page')) return undefined;
    if (FACES.includes(low)) return 'a face does not import another face';
    return SHOWN.test(to) ? undefined : 'a face calls app, which picks what does the work';
  }
  if (FACES.includes(low)) return 'imports run downwards only';
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
    const rooms = new Set(files.filter((file) => file.includes('/')).map(floorOf));
    expect([...rooms].sort()).toEqual([...FLOORS, ...FACES, 'panel'].sort());
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

  it('would notice an import that runs upwards', () => {
    expect(fault({ from: 'store/file/file-store.ts', to: 'council/document/document.ts' })).toBeDefined();
    expect(fault({ from: 'council/machine/transition.ts', to: 'archive/write.ts' })).toBeDefined();
    expect(fault({ from: 'panel/main.ts', to: 'council/state/state.ts' })).toBeDefined();
    expect(fault({ from: 'council/state/state.ts', to: 'council/vote/decision.ts' })).toBeDefined();
    expect(fault({ from: 'council/ledger/text/units.ts', to: 'council/ledger/claims.ts' })).toBeDefined();
    expect(fault({ from: 'council/use/respond.ts', to: 'council/view/view.ts' })).toBeUndefined();
    expect(fault({ from: 'heartbeat/tick.ts', to: 'app/workspace.ts' })).toBeDefined();
    expect(fault({ from: 'cli/io.ts', to: 'serve/server.ts' })).toBeDefined();
    expect(fault({ from: 'serve/server.ts', to: 'cli/io.ts' })).toBeDefined();
    expect(fault({ from: 'mcp/server.ts', to: 'serve/server.ts' })).toBeDefined();
    expect(fault({ from: 'serve/server.ts', to: 'mcp/over-http.ts' })).toBeUndefined();
    expect(fault({ from: 'serve/pages/layout.ts', to: 'page/html.ts' })).toBeUndefined();
    expect(fault({ from: 'serve/pages/layout.ts', to: 'archive/archive.ts' })).toBeDefined();
    expect(fault({ from: 'cli/commands/mcp.ts', to: 'serve/server.ts' })).toBeUndefined();
    expect(fault({ from: 'app/workspace.ts', to: 'store/documents.ts' })).toBeUndefined();
    expect(fault({ from: 'cli/io.ts', to: 'store/local/system.ts' })).toBeDefined();
    expect(fault({ from: 'mcp/server.ts', to: 'council/use/respond.ts' })).toBeDefined();
    expect(fault({ from: 'cli/commands/agents.ts', to: 'agents/agent.ts' })).toBeDefined();
    expect(fault({ from: 'cli/summary.ts', to: 'council/state/state.ts' })).toBeDefined();
    expect(fault({ from: 'cli/summary.ts', to: 'app/state-document.ts' })).toBeUndefined();
  });

  it('would notice a driver that is named where every driver should do', () => {
    expect(fault({ from: 'app/keeping/files.ts', to: 'store/file/file-store.ts' })).toBeUndefined();
    expect(fault({ from: 'app/run.ts', to: 'store/file/file-store.ts' })).toBeDefined();
    expect(fault({ from: 'app/trust.ts', to: 'store/file/file-store.ts' })).toBeDefined();
    expect(fault({ from: 'store/documents.ts', to: 'store/file/layout.ts' })).toBeDefined();
    expect(fault({ from: 'store/memory/memory-store.ts', to: 'store/file/archive-files.ts' })).toBeDefined();
  });

  it('has no cycle', () => {
    // An App carries the features, whose functions take an App: the one circle, of types.
    const isOfTypes = ({ from, to }: Import): boolean => from === 'app/app.ts' && to === 'app/feature.ts';
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
      'agents/runners/group.ts': /\/proc\//,
      'app/input/check-text.ts': /\/proc\/self\//,
      'cli/answer-call.ts': /readFileSync\(0\)/,
      'store/file/inspect-mount.ts': /\/proc\/self\//,
      'store/local/liveness.ts': /fs\.readFileSync\(path\)/,
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
        !['agents/runners/preset-runner.ts', 'cli/edit-text.ts'].includes(file) &&
        /\brm(Sync)?\([^;]*recursive: true/.test(readFileSync(join(SRC, file), 'utf8')),
    );
    expect(faults).toEqual([]);
  });

  it('holds no file that is too long to read', () => {
    // The words of a language are a list, not code.
    const read = files.filter((file) => !/^base\/words\/(en|fr)\.ts$/.test(file));
    const lengths = read.map((file) => ({
      file,
      lines: readFileSync(join(SRC, file), 'utf8').split('\n').length,
    }));
    // Up to 400 lines where cutting the file would tear apart what is read together.
    const whole = /\/(config|judge|approvals|run)\.ts$/;
    const most = (file: string): number => (whole.test(file) ? 401 : 251);
    expect(lengths.filter(({ file, lines }) => lines > most(file))).toEqual([]);
  });
});
