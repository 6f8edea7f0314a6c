let handler: ((error: unknown) => void) | undefined;

/**
 * Sets how the app reports a part of the page that failed to load. Must be called once, before the
 * first render.
 */
export function onMissingPart(report: (error: unknown) => void): void {
  handler = report;
}

/**
 * Reports a part of the page that failed to load. Throws without a handler, so that it cannot go
 * unnoticed.
 */
export function reportMissingPart(error: unknown): void {
  if (!handler) throw error;
  handler(error);
}
