import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ciiOf } from './cii.ts';
import { invoices, notes } from './testing/cii-arbitrary.ts';

/*
 * The standard's own rules and schema may not be distributed here. These tests run where they are installed: `EN16931_XSLT` is
 * the stylesheet of CEN's rules for CII (java with libsaxonhe-java), `EN16931_XSD` a schema of CII (libxml2-utils).
 */
const { EN16931_XSLT, EN16931_XSD } = process.env;

/** Runs `work` with a folder of forty generated documents. */
function withDocuments(work: (folder: string, files: string[]) => void): void {
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

test.skipIf(!EN16931_XSD)('B25 the official schema accepts the XML of documents (needs EN16931_XSD)', () => {
  withDocuments((_, files) => {
    execFileSync('xmllint', ['--noout', '--schema', EN16931_XSD!, ...files], { stdio: 'pipe' });
  });
});

test.skipIf(!EN16931_XSLT)(
  'B25 the official rules accept the XML of documents (needs EN16931_XSLT)',
  { timeout: 300_000 },
  () => {
    withDocuments((folder, files) => {
      const saxon = ['-jar', '/usr/share/java/Saxon-HE.jar', `-s:${folder}`, `-xsl:${EN16931_XSLT}`];
      mkdirSync(join(folder, 'reports'));
      execFileSync('java', [...saxon, `-o:${folder}/reports`], { stdio: 'pipe' });
      for (const file of files) {
        const report = readFileSync(join(folder, 'reports', basename(file)), 'utf8');
        const failed = [...report.matchAll(/<svrl:failed-assert.*?<svrl:text>(.*?)<\/svrl:text>/gs)];
        expect(failed.map(([, fault]) => fault)).toEqual([]);
        expect(report).toContain('<svrl:fired-rule');
      }
    });
  },
);
