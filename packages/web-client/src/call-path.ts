/** Path of a call that declares none of its own. */
export const usualPath = (module: string, name: string): string => `/v1/${module}/${name}`;
