// Every error that a face can print says what to do next.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../../../src');
/** Where errors are made for whoever calls a command or a tool. */
const ROOMS = ['core/cli', 'core/app', 'core/council', 'core/archive', 'core/heartbeat', 'server', 'program'];

function withoutHint(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(SRC, file), 'utf8'),
    ts.ScriptTarget.ES2024,
    true,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node) && node.expression.getText() === 'CouncilError') {
      // Details that are handed on may hold it.
      const text = node.getText();
      if (!/\bhint\b|\bcontext\b/.test(text))
        found.push(`${file}: ${text.replace(/\s+/g, ' ').slice(0, 100)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe('an error', () => {
  it('says what to do next', () => {
    const files = ROOMS.flatMap((room) =>
      readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(room, name)),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(files.flatMap(withoutHint)).toEqual([]);
  });
});
