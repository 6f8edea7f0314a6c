/* `npm run gen`: one after the other, because the second starts a database. */
await import('./gen-docs.ts');
await import('./gen-tables.ts');
