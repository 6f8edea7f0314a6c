import type { NoLogsFinding, SearchRequest, SearchResult } from '@fixpoint/contract/no-logs.ts';
import { formsOf } from '@fixpoint/domain/no-logs/forms.ts';
import { createMatcher } from '@fixpoint/domain/no-logs/matcher.ts';
import { searchDisks, searchFolders } from './files.ts';
import { searchConfiguration, searchKernel } from './kernel.ts';
import type { Look } from './look.ts';
import { allProcesses, searchProcess } from './processes.ts';

/** A longer list would add nothing. */
const MOST = 200;

/**
 * Searches this machine for traces of a canary in every form in which a program might write them:
 * all files (also compressed and deleted), process memory, the kernel's tables, log and journal;
 * and for anything that logs.
 */
export async function searchHost(request: SearchRequest, now: Date): Promise<SearchResult> {
  const matches = createMatcher(formsOf(request.marks));
  const findings = new Map<string, NoLogsFinding>();
  const unread = new Set<string>();
  const counted = { file: { number: 0, bytes: 0 }, process: { number: 0, bytes: 0 } };
  const look: Look = {
    at(place, where, piece) {
      for (const what of matches(piece)) look.found({ place, where, what });
    },
    found: finding => findings.set(JSON.stringify(finding), finding),
    unread: where => unread.add(where),
    counted(kind, bytes) {
      counted[kind].number += 1;
      counted[kind].bytes += bytes;
    },
  };
  const processes = request.processes ?? allProcesses();
  for (const pid of processes) searchProcess(pid, look);
  const leftAt = new Date(request.leftAt);
  await searchKernel(leftAt, look);
  const configuration = await searchConfiguration(processes, look);
  if (request.folders) searchFolders(request.folders, look);
  else searchDisks(look);
  return {
    searchedAt: now.toISOString(),
    pauseSeconds: Math.max(0, Math.floor((now.getTime() - leftAt.getTime()) / 1000)),
    files: counted.file.number,
    fileBytes: counted.file.bytes,
    processes: counted.process.number,
    memoryBytes: counted.process.bytes,
    configuration,
    marks: request.marks,
    findings: [...findings.values()].slice(0, MOST),
    unread: [...unread].slice(0, MOST),
  };
}
