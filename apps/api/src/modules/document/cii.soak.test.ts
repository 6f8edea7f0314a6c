import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ciiOf } from './cii.ts';
import { invoices, notes } from './testing/cii-arbitrary.ts';

/*
 * The standard's own rules and schema are not ours to keep here. Where somebody has them they are asked too: `EN16931_XSLT` is
 * the stylesheet of CEN's rules for CII (java with libsaxonhe-java), `EN16931_XSD` a schema of CII (libxml2-utils).
 */
const { EN16931_XSLT, EN16931_XSD } = process.env;

/** Forty documents, each in a file of a folder. */
function inFolder(work: (folder: string, files: string[]) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'en16931-'));
  try {
    const samples = fc.sample(fc.oneof(invoices, notes), { numRuns: 40, seed: 16_931 });
    const files = samples.map((_, i) => join(folder, `${i}.xml`));
    for (const [i, { of }] of samples.entries()) writeFileSync(files[i]!, ciiOf(of));
    work(folder, files);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.skipIf(!EN16931_XSD)('B25 the schema of others allows what we write (needs EN16931_XSD)', () => {
  inFolder((_, files) => {
    execFileSync('xmllint', ['--noout', '--schema', EN16931_XSD!, ...files], { stdio: 'pipe' });
  });
});

test.skipIf(!EN16931_XSLT)(
  'B25 the rules of others allow what we write (needs EN16931_XSLT)',
  { timeout: 300_000 },
  () => {
    inFolder((folder, files) => {
      const saxon = ['-jar', '/usr/share/java/Saxon-HE.jar', `-s:${folder}`, `-xsl:${EN16931_XSLT}`];
      mkdirSync(join(folder, 'said'));
      execFileSync('java', [...saxon, `-o:${folder}/said`], { stdio: 'pipe' });
      for (const file of files) {
        const said = readFileSync(join(folder, 'said', basename(file)), 'utf8');
        const failed = [...said.matchAll(/<svrl:failed-assert.*?<svrl:text>(.*?)<\/svrl:text>/gs)];
        expect(failed.map(([, fault]) => fault)).toEqual([]);
        expect(said).toContain('<svrl:fired-rule');
      }
    });
  },
);
