import { startStack } from './stack/stack.ts';
import pg from 'pg';
const stack = await startStack({ dataDir: '/tmp/fp-cron', durable: false });
const c = new pg.Client(stack.databaseUrl); await c.connect();
for (let i=0;i<9;i++){ await new Promise(r=>setTimeout(r,10000)); console.log(i, (await c.query("select name,cron,kind from pgboss.schedule").catch(e=>({rows:e.message}))).rows, (await c.query("select name,state,created_on,completed_on,output from pgboss.job where name like '%sweep%' or name like '\\_\\_pg%'")).rows); }
await c.end(); await stack.stop();
