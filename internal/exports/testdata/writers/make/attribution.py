"""Exports as attribution, analytics and CRM products shape them: which column it is.

The headers and objects are those of the products' documented raw data exports; the rows
are made up and written by Python.
"""

import csv
import io
import json
import platform

import model

VERSION = platform.python_version()


def attribution(c):
    made = model.Ids("attribution")

    def sheet(file, header, table, cells, profile="idfa", source=None, **more):
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([[r.get(h, "") for h in header] for r in table])
        c.put(file, out.getvalue())
        c.keep(file)
        c.line(file, "Python csv", VERSION, "csv.writer(out, lineterminator='\\n')", profile, cells, source, **more)

    def lines(file, objects, cells, profile="idfa", source=None, **more):
        c.put(file, "".join(json.dumps(o, separators=(",", ":")) + "\n" for o in objects))
        c.keep(file)
        c.line(file, "Python json", VERSION, "json.dumps(…, separators=(',', ':')) a line", profile, cells, source, **more)

    def each(n, make):
        return [make(i) for i in range(n)]

    def both(name, header, row, ios, android=None, column=None, source=None, android_source=None, **more):
        """One table, read under idfa and under aaid. row(i) returns a dict."""
        rows = each(40, row)
        if ios:
            sheet(f"{name}.csv", header, rows, [r.get(ios, "") for r in rows], source=source, understood={"column": {"name": ios}}, **more)
        if android:
            sheet(f"{name}-aaid.csv", header, rows, [r.get(android, "") for r in rows], "aaid", android_source, understood={"column": {"name": android}}, **more)

    def platform_of(i):
        return "ios" if i % 3 else "android"

    # AppsFlyer raw data
    both("appsflyer", ["AppsFlyer ID", "Event Time", "Platform", "IDFA", "IDFV", "Advertising ID", "Android ID", "Customer User ID", "Event Value"],
         lambda i: {"AppsFlyer ID": f"1700{i:09d}-{i:07d}", "Event Time": "2026-03-01 10:00:00", "Platform": platform_of(i), "Customer User ID": made.aaid(), "Event Value": '{"af_revenue": "1,5"}',
                    **({"IDFA": made.idfa(), "IDFV": made.idfa()} if i % 3 else {"Advertising ID": made.aaid(), "Android ID": made.android_id()})},
         "IDFA", "Advertising ID")
    # Adjust: adid is Adjust's own id, 32 hex characters
    both("adjust", ["{adid}".strip("{}"), "gps_adid", "idfa", "idfv", "android_id", "os_name", "created_at", "network_name"],
         lambda i: {"adid": f"{made.random.getrandbits(128):032x}", "os_name": platform_of(i), "created_at": 1772000000 + i, "network_name": "Organic, \"direct\"",
                    **({"idfa": made.idfa(), "idfv": made.idfa()} if i % 3 else {"gps_adid": made.aaid(), "android_id": made.android_id()})},
         "idfa", "gps_adid")
    # Branch: prefixed field names
    both("branch", ["id", "timestamp", "user_data_os", "user_data_idfa", "user_data_idfv", "user_data_aaid", "user_data_android_id", "user_data_developer_identity"],
         lambda i: {"id": 10**18 + i, "timestamp": 1772000000000 + i, "user_data_os": platform_of(i).upper(), "user_data_developer_identity": made.aaid(),
                    **({"user_data_idfa": made.idfa(), "user_data_idfv": made.idfa()} if i % 3 else {"user_data_aaid": made.aaid(), "user_data_android_id": made.android_id()})},
         "user_data_idfa", "user_data_aaid")
    # Kochava
    both("kochava", ["kochava_device_id", "device_id_idfa", "device_id_idfv", "device_id_adid", "device_id_android_id", "date_utc", "campaign_name"],
         lambda i: {"kochava_device_id": f"KA{made.random.getrandbits(128):032x}", "date_utc": "2026-03-01", "campaign_name": "spring; \"one\"",
                    **({"device_id_idfa": made.idfa(), "device_id_idfv": made.idfa()} if i % 3 else {"device_id_adid": made.aaid(), "device_id_android_id": made.android_id()})},
         "device_id_idfa", "device_id_adid")
    # Singular
    both("singular", ["platform", "app_name", "idfa", "idfv", "aifa", "andi", "custom_user_id", "device_make"],
         lambda i: {"platform": platform_of(i), "app_name": "Shop, the app", "custom_user_id": made.aaid(), "device_make": "x",
                    **({"idfa": made.idfa(), "idfv": made.idfa()} if i % 3 else {"aifa": made.aaid(), "andi": made.android_id()})},
         "idfa", "aifa")
    # mParticle
    objects = each(40, lambda i: {"events": [{"event_type": "session_start", "data": {"session_uuid": made.aaid()}}],
                                  "device_info": {"platform": "iOS", "ios_advertising_id": made.idfa(), "ios_idfv": made.idfa()}, "mpid": 10**17 + i})
    lines("mparticle.ndjson", objects, [o["device_info"]["ios_advertising_id"] for o in objects], understood={"column": {"name": "device_info.ios_advertising_id"}})
    objects = each(40, lambda i: {"mpid": 10**17 + i, "device_info": {"platform": "Android", "android_uuid": made.android_id(), "android_advertising_id": made.aaid()}})
    lines("mparticle-aaid.ndjson", objects, [o["device_info"]["android_advertising_id"] for o in objects], "aaid", understood={"column": {"name": "device_info.android_advertising_id"}})
    # Segment: context.device.advertisingId is absent in the first 300 objects
    def segment(i):
        device = {"type": "ios", "id": made.idfa(), "adTrackingEnabled": i >= 300}
        if i >= 300:
            device["advertisingId"] = made.idfa()
        return {"anonymousId": made.aaid(), "event": "Order Completed", "context": {"device": device}, "messageId": "ajs-" + str(i)}
    objects = each(340, segment)
    lines("segment.ndjson", objects, [o["context"]["device"].get("advertisingId") for o in objects], understood={"column": {"name": "context.device.advertisingId"}})
    # GA4 in BigQuery: device.advertising_id is absent in the first 300 objects
    def ga4(i):
        device = {"category": "mobile", "operating_system": "iOS", "vendor_id": made.idfa()}
        if i >= 300:
            device["advertising_id"] = made.idfa()
        return {"event_date": "20260301", "event_name": "purchase", "user_pseudo_id": made.idfa(), "device": device}
    objects = each(340, ga4)
    lines("ga4.ndjson", objects, [o["device"].get("advertising_id") for o in objects], understood={"column": {"name": "device.advertising_id"}})
    # Firebase, flattened to CSV
    both("firebase", ["event_date", "user_pseudo_id", "user_id", "device.operating_system", "device.vendor_id", "device.advertising_id", "event_params"],
         lambda i: {"event_date": "20260301", "user_pseudo_id": made.idfa(), "user_id": i, "device.operating_system": "IOS", "device.vendor_id": made.idfa(), "device.advertising_id": made.idfa() if i % 4 else "(not set)",
                    "event_params": '[{"key": "page", "value": "a,b"}]'},
         "device.advertising_id")
    # Braze: devices of a user as a list of objects
    objects = each(40, lambda i: {"external_id": f"user-{i}", "braze_id": f"{made.random.getrandbits(96):024x}",
                                  "devices": [{"model": "iPhone", "os": "iOS 18", "idfv": made.idfa(), "idfa": made.idfa(), "device_id": made.idfa(), "ad_tracking_enabled": True} for _ in range(1 + i % 2)]})
    lines("braze.ndjson", objects, [[d["idfa"] for d in o["devices"]] for o in objects], source={"column": "devices.idfa"}, understood={"column": {"name": "devices.idfa"}})
    # Salesforce: custom fields end in __c
    both("salesforce", ["Id", "LastName", "MobileId__c", "IDFA__c", "Google_Advertising_ID__c", "Description"],
         lambda i: {"Id": f"003{i:015d}", "LastName": 'O"Neil', "MobileId__c": i, "Description": made.note(i), **({"IDFA__c": made.idfa()} if i % 3 else {"Google_Advertising_ID__c": made.aaid()})},
         "IDFA__c", "Google_Advertising_ID__c")

    # The right column is empty in the first 1,000 rows, and another one looks like ids.
    late = each(1150, lambda i: {"device_id": made.aaid(), "idfa": made.idfa() if i >= 1000 else "", "country": "DE"})
    sheet("late-idfa.csv", ["device_id", "idfa", "country"], late, [r["idfa"] for r in late], understood={"column": {"name": "idfa", "number": 2}})
    late = each(700, lambda i: {"device_id": made.idfa(), **({"idfa": made.idfa()} if i >= 600 else {})})
    lines("late-idfa.ndjson", late, [r.get("idfa") for r in late], understood={"column": {"name": "idfa"}})
    # The same, as one JSON array.
    c.put("late-idfa.json", json.dumps(late, indent=0))
    c.keep("late-idfa.json")
    c.line("late-idfa.json", "Python json", VERSION, "json.dumps(…, indent=0)", "idfa", [r.get("idfa") for r in late], understood={"format": "json", "column": {"name": "idfa"}})

    # Only another kind of id, or two candidates: refused, and read if the job names the column.
    def other(file, name, value, profile="idfa", word="source.column", **more):
        rows = each(40, lambda i: {"customer": i, name: value(), "country": "DE"})
        sheet(file, ["customer", name, "country"], rows, [r[name] for r in rows], profile, refused=word, refusedThen={"column": name}, **more)

    other("only-idfv.csv", "idfv", made.idfa)
    other("only-vendor-id.csv", "vendor_id", made.idfa)
    other("only-anonymous-id.csv", "anonymous_id", made.aaid)
    other("gaid-under-idfa.csv", "gaid", made.aaid)
    other("idfa-under-aaid.csv", "idfa", made.idfa, "aaid")
    other("idfa-under-android-id.csv", "idfa", made.idfa, "android_id")
    rows = each(40, lambda i: {"ios_idfa": made.idfa(), "idfa": made.idfa()})
    sheet("two-candidates.csv", ["ios_idfa", "idfa"], rows, [r["idfa"] for r in rows], refused="source.column", refusedThen={"column": "idfa"})
    sheet("same-header-twice.csv", ["idfa", "country", "idfa"], rows, [r["idfa"] for r in rows], refused="source.column", refusedThen={"column": "3"})
    hashed = each(40, lambda i: {"customer": i, "idfa_md5": f"{made.random.getrandbits(128):032x}"})
    sheet("idfa-md5.csv", ["customer", "idfa_md5"], hashed, None, refused="md5")
    md5 = [bytes.fromhex(r["idfa_md5"]) for r in hashed]
    total, mixed = 0, 0
    for d in md5:
        total, mixed = (total + int.from_bytes(d, "big")) % 2**128, mixed ^ int.from_bytes(d, "big")
    sheet("idfa-md5-input.csv", ["customer", "idfa_md5"], hashed, None, input="md5", rows=len(md5), ids=len(md5), distinct=len(md5), sum="%032x" % total, xor="%032x" % mixed, junk=0)
    # Android rows in lower case and iOS rows in upper case; an operating system says which is which.
    # It is refused or, with a warning, taken as the job says.
    rows = each(60, lambda i: {"os": platform_of(i), "device_id": made.idfa() if i % 3 else made.aaid()})
    sheet("os-says-android.csv", ["os", "device_id"], rows, [r["device_id"] for r in rows], refused="source.typeColumn", orExact=True)


FAMILIES = [attribution]
