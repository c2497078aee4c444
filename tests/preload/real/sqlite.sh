# needs: sqlite3
# A million rows, with indexes.
sqlite3 million.db <<'SQL'
pragma journal_mode = wal;
create table t(a integer primary key, b text, c real);
begin;
with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000)
insert into t select i, 'row ' || i, i * 0.5 from n;
commit;
create index by_b on t(b);
select count(*), sum(a), sum(length(b)), round(sum(c), 1) from t;
select b from t order by b desc limit 3;
select count(*) from t where b like 'row 99%';
delete from t where a % 2 = 0;
select count(*) from t;
pragma integrity_check;
SQL
