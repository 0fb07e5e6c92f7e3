"""Prints the records of a file of W&B as JSON: read_wandb.py FILE. Runs in the environment of wandb."""

import json
import sys

from google.protobuf.json_format import MessageToDict
from wandb.proto import wandb_internal_pb2
from wandb.sdk.internal.datastore import DataStore

store = DataStore()
store.open_for_scan(sys.argv[1])
records = []
while (data := store.scan_data()) is not None:
    record = wandb_internal_pb2.Record()
    record.ParseFromString(data)
    records.append(MessageToDict(record, preserving_proto_field_name=True))
print(json.dumps(records))
