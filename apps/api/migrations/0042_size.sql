-- expand
-- What runs every minute or every day finds its few rows among many.

-- alert -----------------------------------------------------------------------------------------------------------
create index alert_reopened on alert (kind, subject) where resolved_at < last_seen;
create index alert_delivery_sent on alert_delivery (channel, sent_at);

-- account ---------------------------------------------------------------------------------------------------------
create index customer_deleted on customer (id) where status = 'deleted';
