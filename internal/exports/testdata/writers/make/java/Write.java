import com.opencsv.CSVWriter;
import com.univocity.parsers.csv.CsvWriterSettings;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.apache.commons.csv.CSVRecord;
import org.supercsv.io.CsvListWriter;
import org.supercsv.prefs.CsvPreference;

/** Write HOW IN OUT reads a table of CSV and writes it as a library of Java does. */
public class Write {
    public static void main(String[] args) throws Exception {
        List<String[]> rows = new ArrayList<>();
        for (CSVRecord record : CSVFormat.RFC4180.parse(new FileReader(args[1], StandardCharsets.UTF_8))) {
            List<String> row = new ArrayList<>();
            record.forEach(row::add);
            rows.add(row.toArray(new String[0]));
        }
        try (Writer out = new FileWriter(args[2], StandardCharsets.UTF_8)) {
            switch (args[0]) {
                case "opencsv" -> new CSVWriter(out).writeAll(rows);
                case "opencsv-escape" -> new CSVWriter(out, ',', '"', '\\', "\n").writeAll(rows);
                case "commons" -> new CSVPrinter(out, CSVFormat.DEFAULT).printRecords(rows);
                case "commons-excel" -> new CSVPrinter(out, CSVFormat.EXCEL).printRecords(rows);
                case "commons-mysql" -> new CSVPrinter(out, CSVFormat.MYSQL).printRecords(rows);
                case "super" -> superCsv(out, CsvPreference.STANDARD_PREFERENCE, rows);
                case "super-europe" -> superCsv(out, CsvPreference.EXCEL_NORTH_EUROPE_PREFERENCE, rows);
                case "univocity" -> {
                    var writer = new com.univocity.parsers.csv.CsvWriter(out, new CsvWriterSettings());
                    writer.writeStringRows(rows.stream().map(List::of).toList());
                    writer.flush();
                }
                default -> throw new IllegalArgumentException(args[0]);
            }
        }
    }

    static void superCsv(Writer out, CsvPreference preference, List<String[]> rows) throws Exception {
        CsvListWriter writer = new CsvListWriter(out, preference);
        for (String[] row : rows) {
            writer.write(row);
        }
        writer.flush();
    }
}
