// The types of the library as one file that needs nothing else: what zod infers is written out, then everything that
// src/index.ts exports is rolled into one.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { generateDtsBundle } from 'dts-bundle-generator';
import ts from 'typescript';

/** Writes `file`; throws where it would need another package. Whether the sources are right, `tsc --noEmit` tells. */
export function writeDeclarations(root: string, file: string): void {
  const { options } = readConfig(root);
  const program = ts.createProgram([join(root, 'src/index.ts')], {
    ...options,
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rootDir: join(root, 'src'),
    outDir: mkdtempSync(join(tmpdir(), 'council-types-')),
  });
  const outDir = program.getCompilerOptions().outDir!;
  try {
    const emitted = program.emit(undefined, undefined, undefined, true, {
      afterDeclarations: [inferredTypesWrittenOut(program, join(root, 'src'))],
    });
    failOn(emitted.diagnostics);
    const config = join(outDir, 'tsconfig.json');
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: { types: [] },
        include: ['.'],
      }),
    );
    const [rolled] = generateDtsBundle(
      [
        {
          filePath: join(outDir, 'index.d.ts'),
          output: { noBanner: true, exportReferencedTypes: false },
          failOnClass: false,
        },
      ],
      { preferredConfigPath: config },
    );
    writeFileSync(file, alone(rolled!));
  } finally {
    rmSync(outDir, { recursive: true });
  }
}

function readConfig(root: string): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: unknown;
  };
  return ts.parseJsonConfigFileContent(config, ts.sys, root);
}

function failOn(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  throw new Error(
    ts.formatDiagnostics(diagnostics, {
      getCanonicalFileName: (name) => name,
      getCurrentDirectory: () => process.cwd(),
      getNewLine: () => '\n',
    }),
  );
}

/** Whoever installs council has neither its libraries nor, perhaps, the types of Node. */
function alone(types: string): string {
  const foreign = types.match(/^.*(?:\bfrom ['"]|\bimport\(|\bz\.|\bBuffer\b|\bNodeJS\.).*$/m);
  if (foreign) throw new Error(`The library's types need another package: ${foreign[0].trim()}`);
  return types;
}

/** Turns `type X = z.infer<…>` and the like into what X is. */
function inferredTypesWrittenOut(
  program: ts.Program,
  sources: string,
): ts.TransformerFactory<ts.SourceFile | ts.Bundle> {
  const checker = program.getTypeChecker();
  const ours = { checker, sources };
  return () => (file) => {
    if (!ts.isSourceFile(file)) return file;
    const inferred = aliasesOf(program.getSourceFile(file.fileName)!).filter(isInferred);
    const names = new Map(inferred.map(({ name }) => [checker.getTypeAtLocation(name), name.text]));
    const written = new Map(
      inferred.map(({ name }) => [
        name.text,
        plain(checker.getTypeAtLocation(name), { ...ours, names, folder: dirname(file.fileName) }, true),
      ]),
    );
    if (inferred.length === 0) return file;
    const { factory } = ts;
    const statements = file.statements.flatMap((one) => {
      const text = ts.isTypeAliasDeclaration(one) ? written.get(one.name.text) : undefined;
      if (!ts.isTypeAliasDeclaration(one) || text === undefined) return isAboutSchemas(one) ? [] : [one];
      // Printed as it is: the emitted text is parsed again when everything is rolled into one file.
      const type = factory.createTypeReferenceNode(text);
      return [factory.updateTypeAliasDeclaration(one, one.modifiers, one.name, undefined, type)];
    });
    return factory.updateSourceFile(file, statements);
  };
}

/** What inferring needed, and nobody else does: it would bring all of zod along. */
function isAboutSchemas(statement: ts.Statement): boolean {
  const original = ts.getOriginalNode(statement);
  return original.pos >= 0 && /\bz\b|\bSCHEMAS\b/.test(original.getText());
}

const aliasesOf = (file: ts.SourceFile): ts.TypeAliasDeclaration[] =>
  file.statements.filter((one) => ts.isTypeAliasDeclaration(one));
const isInferred = ({ type, typeParameters }: ts.TypeAliasDeclaration): boolean =>
  typeParameters === undefined && /^(Inferred|z\.(infer|output))</.test(type.getText());

interface Context {
  checker: ts.TypeChecker;
  /** Types that have a name in the same file. */
  names: Map<ts.Type, string>;
  folder: string;
  /** Where council's own types come from; the path of a library may have a folder of that name too. */
  sources: string;
}

/** A type as one would write it by hand, with the comments of its properties. */
function plain(type: ts.Type, context: Context, top = false): string {
  const { checker, names, folder, sources } = context;
  const inner = (one: ts.Type): string => plain(one, context);
  const name = top ? undefined : names.get(type);
  if (name !== undefined) return name;
  const alias = type.aliasSymbol?.declarations?.[0];
  const isOurs = alias && !relative(sources, alias.getSourceFile().fileName).startsWith('..');
  if (isOurs && !top)
    return `import('./${relative(folder, alias.getSourceFile().fileName)}').${type.aliasSymbol!.name}`;
  if (checker.isArrayType(type)) {
    const [of] = checker.getTypeArguments(type as ts.TypeReference).map(inner);
    return /^\w+$/.test(of!) ? `${of}[]` : `(${of})[]`;
  }
  if (checker.isTupleType(type))
    return `[${checker
      .getTypeArguments(type as ts.TypeReference)
      .map(inner)
      .join(', ')}]`;
  if (type.isUnion() && type.types.some((one) => one.flags & ts.TypeFlags.Object))
    return type.types.map(inner).join(' | ');
  if (!(type.flags & ts.TypeFlags.Object))
    return checker.typeToString(type, undefined, ts.TypeFormatFlags.NoTruncation);
  return `{\n${[...indexes(type, context), ...properties(type, context)].join('\n')}\n}`;
}

const indexes = (type: ts.Type, context: Context): string[] =>
  context.checker
    .getIndexInfosOfType(type)
    .map((one) => `[key: ${plain(one.keyType, context)}]: ${plain(one.type, context)};`);

const properties = (type: ts.Type, context: Context): string[] =>
  type.getProperties().map((property) => {
    const { checker } = context;
    const doc = ts.displayPartsToString(property.getDocumentationComment(checker));
    const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    const of = checker.getTypeOfSymbol(property);
    const told = optional ? checker.getNonNullableType(of) : of;
    const said = plain(optional && !canBeNull(of) ? told : of, context);
    return `${doc === '' ? '' : `/** ${doc} */\n`}${property.name}${optional ? '?' : ''}: ${said};`;
  });

const canBeNull = (type: ts.Type): boolean =>
  type.isUnion() && type.types.some((one) => (one.flags & ts.TypeFlags.Null) !== 0);
