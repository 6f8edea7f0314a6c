import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@fixpoint/dev-stack/ports.ts';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { executablePath, flags } from './chromium.ts';

/** Scores from 0 to 100; times in ms; `faults` are the audits below a perfect score, with their messages. */
export type FirstVisit = {
  scores: { performance: number; accessibility: number; bestPractices: number };
  firstContentfulPaint: number;
  largestContentfulPaint: number;
  totalBlockingTime: number;
  cumulativeLayoutShift: number;
  /** Lighthouse's benchmark index of this machine. Below about 1000 the simulated phone is slower than a real one. */
  machine: number;
  requests: { url: string; bytes: number }[];
  faults: string[];
};

/** Measures a first visit with Lighthouse: mid-range phone on slow 4G (its simulated throttling). */
export async function measureFirstVisit(url: string): Promise<FirstVisit> {
  const debuggingPort = await freePort();
  const profile = await mkdtemp(join(tmpdir(), 'fixpoint-lighthouse-'));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...flags, `--remote-debugging-port=${debuggingPort}`],
  });
  try {
    const run = await lighthouse(url, {
      port: debuggingPort,
      logLevel: 'silent',
      onlyCategories: ['performance', 'accessibility', 'best-practices'],
    });
    if (!run) throw new Error('Lighthouse gave no result');
    const { categories, audits } = run.lhr;
    const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
    const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
    const network = audits['network-requests']?.details as
      | { items: { url: string; transferSize: number }[] }
      | undefined;
    return {
      scores: {
        performance: score('performance'),
        accessibility: score('accessibility'),
        bestPractices: score('best-practices'),
      },
      firstContentfulPaint: value('first-contentful-paint'),
      largestContentfulPaint: value('largest-contentful-paint'),
      totalBlockingTime: value('total-blocking-time'),
      cumulativeLayoutShift: value('cumulative-layout-shift'),
      machine: run.lhr.environment.benchmarkIndex,
      requests: (network?.items ?? []).map(item => ({ url: item.url, bytes: item.transferSize })),
      faults: Object.values(audits)
        .filter(audit => audit.score !== null && audit.score < 1)
        .map(audit => `${audit.id}: ${audit.displayValue ?? audit.title}`),
    };
  } finally {
    await browser.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
