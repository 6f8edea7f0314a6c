import type { NoLogsFinding, SearchRequest, SearchResult } from '@fixpoint/contract/no-logs.ts';
import { formsOf } from '@fixpoint/domain/no-logs/forms.ts';
import { createMatcher } from '@fixpoint/domain/no-logs/matcher.ts';
import { searchDisks, searchFolders } from './files.ts';
import { searchConfiguration, searchKernel } from './kernel.ts';
import { allProcesses, searchProcess } from './processes.ts';
import type { SearchSink } from './search-sink.ts';

/** A longer list would add nothing. */
const MAX_FINDINGS = 200;

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
  const sink: SearchSink = {
    at(place, where, chunk) {
      for (const what of matches(chunk)) sink.found({ place, where, what });
    },
    found: finding => findings.set(JSON.stringify(finding), finding),
    unread: where => unread.add(where),
    counted(kind, bytes) {
      counted[kind].number += 1;
      counted[kind].bytes += bytes;
    },
  };
  const processes = request.processes ?? allProcesses();
  const leftAt = new Date(request.leftAt);
  // First, because it forgets connections while memory is searched, which takes as long as a host has tunnels.
  await searchKernel(leftAt, sink);
  for (const pid of processes) searchProcess(pid, sink);
  const configuration = await searchConfiguration(processes, sink);
  if (request.folders) searchFolders(request.folders, sink);
  else searchDisks(sink);
  return {
    searchedAt: now.toISOString(),
    pauseSeconds: Math.max(0, Math.floor((now.getTime() - leftAt.getTime()) / 1000)),
    files: counted.file.number,
    fileBytes: counted.file.bytes,
    processes: counted.process.number,
    memoryBytes: counted.process.bytes,
    configuration,
    marks: request.marks,
    findings: [...findings.values()].slice(0, MAX_FINDINGS),
    unread: [...unread].slice(0, MAX_FINDINGS),
  };
}
