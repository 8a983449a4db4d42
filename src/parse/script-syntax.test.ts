import { describe, expect, it } from 'vitest';
import { syntaxProblem } from './script-syntax.ts';

const APP = "function start(name) {\n  document.title = `Docs: ${name}`;\n}\nstart('Harbour');\n";

describe('the syntax of a script', () => {
  it.each([
    ['', false],
    [APP, false],
    ['#!/usr/bin/env node\nstart()', false],
    ['<!-- start() -->\nvar async = 010;', false],
    ["import { start } from './app.js'; await start();", true],
    // Syntax that acorn does not know proves nothing of a module that does not break off.
    ['@sealed class Harbour {}', true],
  ])('is right: %s', (script, isModule) => {
    expect(syntaxProblem(script, isModule)).toBeNull();
  });

  it.each([
    [false, 12],
    [true, 12],
    [false, 40],
    [true, 40],
    [false, APP.length - 5],
  ])('is wrong where it breaks off (module: %s, after %d)', (isModule, length) => {
    expect(syntaxProblem(APP.slice(0, length), isModule)).not.toBeNull();
  });

  it('is wrong at a position', () => {
    expect(syntaxProblem('start();\nlet a b;\n', false)).toEqual({ error: 'Unexpected token', line: 2, column: 7 });
    expect(syntaxProblem("import './app.js'", false)).toMatchObject({ line: 1 });
  });
});
