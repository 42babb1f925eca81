/** Spark's SQL: the words the editor knows. */
import { SQLDialect } from "@codemirror/lang-sql";

const KEYWORDS = `add after all analyze and anti any array as asc at between both by case cast cluster collate column
  columns comment cross cube current date day dayofyear days delete desc describe distinct distribute div else end escape
  except exists explain extended extract false fetch filter first following for from full function group grouping
  having hour hours if ignore ilike in inner intersect interval is join last lateral leading left like limit map
  materialized minus minute minutes month months natural not null nulls of offset on only or order outer over overlay
  partition partitioned pivot position preceding qualify range recursive regexp respect right rlike rollup row rows
  schemas second seconds select semi sets show similar some sort start struct substring system_time system_version table
  tables tablesample temporary then time timestamp to trailing true truncate unbounded union unique unknown unpivot using
  values version view week weeks when where window with within without year years zone`;

const TYPES = `bigint binary boolean byte char dec decimal double float int integer interval long map numeric real short
  smallint string struct timestamp timestamp_ltz timestamp_ntz tinyint varchar variant void`;

/** Functions one reaches for; Spark knows about 550. */
const FUNCTIONS = `abs add_months aggregate any_value approx_count_distinct approx_percentile array_agg array_contains
  array_distinct array_join array_sort arrays_zip avg base64 bool_and bool_or bround cardinality ceil coalesce
  collect_list collect_set concat concat_ws contains corr count count_if covar_pop cume_dist current_date
  current_timestamp date_add date_diff date_format date_sub date_trunc datediff day dayofmonth dayofweek dense_rank
  element_at endswith exp explode explode_outer filter first_value flatten floor format_number from_json from_unixtime
  get_json_object greatest hash hour ifnull initcap instr isnan isnotnull isnull json_tuple kurtosis lag last_day
  last_value lead least left len length levenshtein ln locate log log10 lower lpad ltrim make_date map_entries
  map_from_arrays map_keys map_values max max_by md5 mean median min min_by minute mode month months_between named_struct
  nth_value ntile nullif nvl nvl2 percent_rank percentile percentile_approx posexplode pow quarter rand rank regexp_count
  regexp_extract regexp_extract_all regexp_like regexp_replace repeat replace reverse right round row_number rpad rtrim
  second sequence sha2 sign size slice sort_array split split_part sqrt startswith stddev stddev_pop str_to_map substr
  substring substring_index sum timestampadd timestampdiff to_char to_date to_json to_number to_timestamp transform
  translate trim trunc try_add try_cast try_divide try_to_date try_to_timestamp unbase64 unix_timestamp upper uuid
  var_pop variance weekday weekofyear width_bucket year zip_with`;

export const spark = SQLDialect.define({
  keywords: KEYWORDS,
  types: TYPES,
  builtin: FUNCTIONS,
  identifierQuotes: "`",
  doubleQuotedStrings: true,
  backslashEscapes: true,
  hashComments: false,
  slashComments: false,
  operatorChars: "*+-%<>!=&|~^/:",
});
