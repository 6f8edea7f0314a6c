/** Where a call goes that says nothing else of itself. */
export const usualPath = (module: string, name: string): string => `/v1/${module}/${name}`;
